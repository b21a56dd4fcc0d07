import Cenotaph
import Synchronization

extension Command {
    static let digest = Command(
        name: "digest", usage: "digest",
        summary: """
            Print what this replica holds, in few bytes

            Two replicas with equal roots show the same rows and hold the same tombstones.
            """
    ) { arguments in
        _ = try arguments.take()
        let digests = try await Home(arguments).open(.readOnly).digests().map(DigestReport.init)
        if arguments.has("json") {
            try printJSON(digests)
        } else {
            for digest in digests {
                System.print(
                    "\(digest.namespace): \(digest.live) live, \(digest.tombstones) tombstones, "
                        + "root \(digest.root)")
            }
        }
        return .done
    }

    static let serve = Command(
        name: "serve", usage: "serve [--listen ADDRESS] [--token-file FILE] [--quiet]",
        summary: """
            Let other replicas of the fleet sync with this one, until stopped

            ADDRESS is HOST:PORT or unix:PATH; without it 127.0.0.1:0, a free port. The first line
            printed says where it listens. What happens on the links goes to standard error, unless --quiet.
            With relay:ADDRESS it waits at a relay instead, for every device of the fleet that comes there;
            FILE holds the relay's token.
            """,
        options: ["listen", "token-file"], flags: ["quiet"]
    ) { arguments in
        _ = try arguments.take()
        let address = try peerAddress(arguments.value("listen") ?? "127.0.0.1:0", arguments)
        let replica = try await Home(arguments).open()
        if case .relay = address {
            try await serve(replica, at: address, arguments)
            return .done
        }
        var server = try await PeerServer(replica, at: address)
        if !arguments.has("quiet") {
            server.onEvent = { System.printError("\(EventReport($0))") }
            server.onFailure = {
                System.printError("a link ended: \(Failure(describing: $0).message)")
            }
        }
        if arguments.has("json") {
            try printJSON(["listening": text(of: server.address)])
        } else {
            System.print("listening on \(text(of: server.address))")
        }
        try await server.run()
        return .done
    }

    /// Stays at a relay and in step with whoever is there.
    private static func serve(
        _ replica: Replica, at address: PeerAddress, _ arguments: Arguments
    ) async throws {
        var peer = Peer(replica, over: address)
        if !arguments.has("quiet") {
            peer.onEvent = { System.printError("\(EventReport($0))") }
            peer.onFailure = {
                System.printError("\(Failure(describing: $0).message); trying again")
            }
        }
        if arguments.has("json") {
            try printJSON(["listening": text(of: address)])
        } else {
            System.print("waiting at \(text(of: address))")
        }
        try await peer.run()
    }

    static let sync = Command(
        name: "sync", usage: "sync ADDRESS [--timeout SECONDS] [--token-file FILE]",
        summary: """
            Exchange rows with a serving replica until both agree

            ADDRESS is HOST:PORT or unix:PATH; with relay:ADDRESS it exchanges with all devices of the fleet
            that are at that relay, at least one; FILE holds the relay's token.
            Tries again when a connection fails, for SECONDS in all (60).
            """,
        options: ["timeout", "token-file"]
    ) { arguments in
        let address = try peerAddress(try arguments.take("ADDRESS")[0], arguments)
        let seconds = try arguments.number("timeout", default: 60, least: 1)
        let replica = try await Home(arguments).open()
        var peer = Peer(replica, over: address)
        let cause = LastCause()
        peer.onEvent = { event in
            if case .ready = event { return }
            if case .agreed = event { return }
            cause.set("\(EventReport(event))")
            System.printError("\(EventReport(event))")
        }
        peer.onFailure = { failure in
            let words = Failure(describing: failure).message
            cause.set(words)
            System.printError("\(words); trying again")
        }
        let report: LinkReport
        do {
            report = LinkReport(try await peer.sync(timeout: .seconds(seconds)))
        } catch let error as PeerError {
            let failure = Failure(describing: error)
            guard error == .notConverged, let words = cause.words else { throw failure }
            throw Failure(failure.code, "\(failure.message): \(words)")
        }
        if arguments.has("json") {
            try printJSON(report)
        } else {
            System.print(
                "agreed: \(report.rowsMerged) rows new here, \(report.rowsSent) sent, "
                    + "\(report.bytesReceived) B in, \(report.bytesSent) B out, "
                    + "round trips: \(report.roundTrips)")
        }
        return .done
    }

    /// The address that a word names, with the token of a relay from its file.
    static func peerAddress(_ word: String, _ arguments: Arguments) throws -> PeerAddress {
        guard word.hasPrefix("relay:") else { return try peerAddress(word) }
        var token = RelayToken.none
        if let path = arguments.value("token-file") {
            guard let line = try TokenFile.read(path).first, let read = RelayToken(line) else {
                throw Failure(.unreadable, "\(path) holds no token")
            }
            token = read
        }
        return .relay(at: try peerAddress(String(word.dropFirst(6))), token: token)
    }

    /// The address that a word names.
    static func peerAddress(_ word: String) throws -> PeerAddress {
        if word.hasPrefix("unix:") { return .unix(path: String(word.dropFirst(5))) }
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 2, let port = parts.last.flatMap({ UInt16($0) }) else {
            throw Failure(.usage, "not HOST:PORT, unix:PATH or relay:ADDRESS: \(word)")
        }
        var host = parts.dropLast().joined(separator: ":")
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        return .tcp(host: host, port: port)
    }

    static func text(of address: PeerAddress) -> String {
        switch address {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        case .relay(let address, _): "relay:" + text(of: address)
        }
    }
}

/// The last thing that went wrong.
private final class LastCause: Sendable {
    private let state = Mutex<String?>(nil)

    var words: String? { state.withLock { $0 } }

    func set(_ words: String) { state.withLock { $0 = words } }
}

/// A namespace's digest as JSON.
struct DigestReport: Codable, Equatable {
    let namespace: String
    let live: UInt64
    let tombstones: UInt64
    let root: String

    init(_ digest: NamespaceDigest, _ root: Hash256) {
        namespace = "\(digest.name)"
        live = digest.live.count
        tombstones = digest.tombstones.count
        self.root = "\(root)"
    }
}

/// What a sync did, as JSON.
struct LinkReport: Codable {
    let rowsReceived: Int
    let rowsMerged: Int
    let rowsBuried: Int
    let rowsSent: Int
    let requests: Int
    let roundTrips: Int
    let bytesReceived: Int
    let bytesSent: Int

    init(_ report: SyncReport) {
        rowsReceived = report.counts.rowsReceived
        rowsMerged = report.counts.rowsMerged
        rowsBuried = report.counts.rowsBuried
        rowsSent = report.counts.rowsSent
        requests = report.counts.requests
        roundTrips = report.roundTrips
        bytesReceived = report.traffic.received
        bytesSent = report.traffic.sent
    }
}

/// One line for a person about what happened on a link.
struct EventReport: CustomStringConvertible {
    let description: String

    init(_ event: SessionEvent) {
        description =
            switch event {
            case .ready(let replica): "peer \(replica)"
            case .dropped(let error) where error.rule == .ownFrame:
                "the peer has this replica's own id: it is this folder, connected twice, or a copy of it, "
                    + "and copies lose each other's writes [SYNC-001]"
            case .dropped(let error): "dropped a frame: \(error)"
            case .refused(let name, let key): "refused \(key) in \(name): over a limit [CONV-009]"
            case .peerError(let error):
                "the peer refused a frame: \(error.errorClass.name) [\(error.rule)]"
            case .blocked(let errorClass, let rule): "blocked: \(errorClass.name) [\(rule)]"
            case .sketchFailed(let name, _): "\(name) differs in much: compared by ranges"
            case .agreed: "agreed"
            }
    }
}
