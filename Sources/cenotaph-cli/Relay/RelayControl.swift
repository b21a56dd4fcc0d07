import CenotaphRelay
import Dispatch
import FoundationEssentials
import Glibc

/// Answers whoever may open the control socket with a relay's numbers: one line of JSON a connection.
final class RelayControl {
    private let path: String
    private let source: any DispatchSourceRead

    init(_ path: String, of server: RelayServer) throws {
        self.path = path
        let listener: Int32
        do {
            listener = try RelaySystem.listen(.unix(path: path))
        } catch {
            throw Failure(.unusable, "cannot listen at \(path): \(System.words(error.code))")
        }
        source = DispatchSource.makeReadSource(fileDescriptor: listener, queue: .global())
        source.setEventHandler {
            while case let asking = RelaySystem.acceptConnection(listener), asking >= 0 {
                // A few hundred bytes always fit into a fresh socket.
                let report = RelayStatusReport(server.report)
                if let line = try? JSONEncoder().encode(report) {
                    _ = RelaySystem.write(Array(line)[...], to: asking)
                }
                RelaySystem.closeDescriptor(asking)
            }
        }
        source.setCancelHandler { RelaySystem.closeDescriptor(listener) }
        source.activate()
    }

    func end() {
        unsafe _ = unlink(path)
        source.cancel()
    }

    /// Asks a running relay.
    static func ask(_ path: String) throws -> RelayStatusReport {
        let line: [UInt8]
        do {
            line = try RelaySystem.readAll(fromUnix: path, atMost: 65_536)
        } catch {
            throw Failure(.unusable, "no relay answers at \(path): \(System.words(error.code))")
        }
        do {
            return try JSONDecoder().decode(RelayStatusReport.self, from: Data(line))
        } catch {
            throw Failure(.unusable, "what answers at \(path) is no relay")
        }
    }
}
