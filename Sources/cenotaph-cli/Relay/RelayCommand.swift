import Cenotaph
import CenotaphRelay
import Dispatch
import Glibc

extension Command {
    static let relay = Command(
        name: "relay",
        usage:
            "relay [--listen ADDRESS] [--token-file FILE] [--control PATH] [--metrics FILE] ... | relay status "
            + "--control PATH",
        summary: """
            Pass sealed frames between devices that cannot reach each other, until stopped

            Keeps nothing on disk and cannot open what it passes. ADDRESS is HOST:PORT or unix:PATH; without it
            127.0.0.1:0, a free port. The first line printed says where it listens; then one JSON object a line
            goes to standard error, without addresses, unless --quiet. SIGTERM or SIGINT tells the clients and ends it.

            --token-file FILE       let in only who brings one of its lines
            --control PATH          answer `relay status` at this Unix-domain socket, for its owner only
            --metrics FILE          write metrics in Prometheus text form, every --metrics-seconds (5)
            --max-connections N     connections in all (4096); --max-room N in one room (64)
            --idle-seconds N        end who is silent for so long (90)
            --rate-bytes N          bytes a second from one connection (16777216), twice that at once
            --rate-records N        records a second from one connection (2000), twice that at once
            --queue-bytes N         bytes that wait for one connection (16777216)
            --memory-bytes N        bytes held in all (268435456)

            relay status asks a running relay for its numbers.
            """,
        options: [
            "listen", "token-file", "control", "metrics", "metrics-seconds", "max-connections",
            "max-room", "idle-seconds", "rate-bytes", "rate-records", "queue-bytes", "memory-bytes",
        ], flags: ["quiet"]
    ) { arguments in
        if arguments.words == ["status"] { return try relayStatus(arguments) }
        _ = try arguments.take()
        return try await runRelay(arguments)
    }

    private static func runRelay(_ arguments: Arguments) async throws -> ExitCode {
        let endpoint = try relayEndpoint(arguments.value("listen") ?? "127.0.0.1:0")
        let tokens = try arguments.value("token-file").map { try TokenFile.read($0) } ?? []
        let bounds = try relayBounds(arguments)
        let seconds = try arguments.number("metrics-seconds", default: 5, least: 1)
        raiseFileLimit()
        let log = arguments.has("quiet") ? nil : RelayLog()
        let server: RelayServer
        do {
            server = try RelayServer(
                endpoint, bounds: bounds, tokens: tokens, onEvent: { log?.write($0) })
        } catch {
            throw Failure(.unusable, "cannot listen: \(error.call): \(System.words(error.code))")
        }
        let control = try arguments.value("control").map { try RelayControl($0, of: server) }
        let metrics = arguments.value("metrics").map {
            RelayMetrics($0, of: server, seconds: seconds)
        }
        let signals = StopSignals { server.stop() }
        let place = text(of: server.endpoint)
        if arguments.has("json") {
            try printJSON(["listening": place])
        } else {
            System.print("listening on \(place)")
        }
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "cenotaph.relay").async {
                server.run()
                continuation.resume()
            }
        }
        signals.cancel()
        control?.end()
        metrics?.end()
        await log?.end()
        return .done
    }

    private static func relayBounds(_ arguments: Arguments) throws -> RelayBounds {
        var bounds = RelayBounds()
        bounds.connections = try arguments.number(
            "max-connections", default: bounds.connections, least: 1)
        bounds.perRoom = try arguments.number("max-room", default: bounds.perRoom, least: 2)
        bounds.entries.burst = max(bounds.entries.burst, 2 * bounds.perRoom)
        bounds.strangers = max(bounds.strangers, bounds.connections / 8)
        let idle = try arguments.number(
            "idle-seconds", default: Int(bounds.idleTime / 1_000), least: 1)
        bounds.idleTime = UInt64(min(idle, 1_000_000)) * 1_000
        let bytes = try arguments.number("rate-bytes", default: bounds.bytes.perSecond, least: 1)
        bounds.bytes = .init(perSecond: min(bytes, 1 << 40), burst: 2 * min(bytes, 1 << 40))
        let records = try arguments.number(
            "rate-records", default: bounds.records.perSecond, least: 1)
        bounds.records = .init(perSecond: min(records, 1 << 40), burst: 2 * min(records, 1 << 40))
        bounds.queued = try arguments.number("queue-bytes", default: bounds.queued, least: 1 << 21)
        bounds.held = try arguments.number("memory-bytes", default: bounds.held, least: 1 << 22)
        return bounds
    }

    private static func relayEndpoint(_ word: String) throws -> RelayEndpoint {
        switch try peerAddress(word) {
        case .tcp(let host, let port): .tcp(host: host, port: port)
        case .unix(let path): .unix(path: path)
        case .relay: throw Failure(.usage, "a relay listens at HOST:PORT or unix:PATH")
        }
    }

    private static func text(of endpoint: RelayEndpoint) -> String {
        switch endpoint {
        case .tcp(let host, let port): text(of: PeerAddress.tcp(host: host, port: port))
        case .unix(let path): text(of: PeerAddress.unix(path: path))
        }
    }

    /// Every connection is an open file; the system's default may be for few.
    private static func raiseFileLimit() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return
        }
        limit.rlim_cur = limit.rlim_max
        unsafe _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private static func relayStatus(_ arguments: Arguments) throws -> ExitCode {
        guard let path = arguments.value("control") else {
            throw Failure(.usage, "relay status takes --control PATH")
        }
        let status = try RelayControl.ask(path)
        if arguments.has("json") {
            try printJSON(status)
        } else {
            for line in status.lines { System.print(line) }
        }
        return .done
    }
}

/// Calls its body at each signal that asks the process to end.
final class StopSignals {
    private var sources: [any DispatchSourceSignal] = []

    init(_ body: @escaping @Sendable () -> Void) {
        for number in [SIGTERM, SIGINT] {
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: body)
            source.activate()
            sources.append(source)
        }
    }

    func cancel() { for source in sources { source.cancel() } }
}
