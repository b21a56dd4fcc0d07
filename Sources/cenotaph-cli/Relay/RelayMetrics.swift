import CenotaphRelay
import Dispatch
import Glibc

/// Writes a relay's metrics to a file, which a reader finds whole at any time.
final class RelayMetrics {
    private let path: String
    private let server: RelayServer
    private let queue = DispatchQueue(label: "cenotaph.relay.metrics")
    private let timer: any DispatchSourceTimer

    init(_ path: String, of server: RelayServer, seconds: Int) {
        self.path = path
        self.server = server
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [path, server] in RelayMetrics.write(server, to: path) }
        timer.schedule(deadline: .now(), repeating: .seconds(seconds))
        timer.activate()
    }

    /// Writes a last time.
    func end() {
        timer.cancel()
        queue.sync { RelayMetrics.write(server, to: path) }
    }

    private static func write(_ server: RelayServer, to path: String) {
        let new = path + ".new"
        do {
            try File.write(Array(RelayStatusReport(server.report).metrics.utf8), to: new)
            guard unsafe rename(new, path) == 0 else { throw FileError("write", Array(path.utf8)) }
        } catch {
            System.printError("{\"event\":\"metrics\",\"failed\":\"\(System.words(errno))\"}")
        }
    }
}
