import Cenotaph

extension Command {
    static let status = Command(
        name: "status", usage: "status",
        summary: """
            Say what other devices may lack, and what waits for a decision

            For each replica that this one has ever agreed with: when they last agreed on something new, and
            the namespaces in which it is not known to hold all that this one holds. Writes that no other replica is known to hold are
            lost with this device. Links of other processes are not seen.
            """
    ) { arguments in
        _ = try arguments.take()
        let replica = try await Home(arguments).open(.readOnly)
        let report = StatusReport(replica.id, try await replica.readStatus())
        if arguments.has("json") {
            try printJSON(report)
        } else {
            report.lines.forEach(System.print)
        }
        return .done
    }
}

/// A status as JSON and as lines for a person.
struct StatusReport: Codable {
    struct Peer: Codable {
        let replica: String
        let agreedAt: UInt64
        let pending: [String]
    }

    let replica: String
    let peers: [Peer]
    let onlyHere: [String]
    private(set) var parked = 0
    private(set) var heldDeletes = 0
    let isAtRest: Bool

    init(_ replica: ReplicaID, _ status: ReplicaStatus) {
        self.replica = "\(replica)"
        peers = status.peers.map { peer in
            Peer(
                replica: "\(peer.id)", agreedAt: peer.agreedAt,
                pending: peer.pending.map { "\($0)" })
        }
        onlyHere = status.onlyHere.map { "\($0)" }
        isAtRest = status.isAtRest
        for obstacle in status.obstacles {
            switch obstacle {
            case .parked(let rows): parked = rows
            case .heldDeletes(let events): heldDeletes = events
            // This process has no links.
            case .blocked, .copied, .store: break
            }
        }
    }

    var lines: [String] {
        var lines = ["replica \(replica)"]
        for peer in peers {
            let lacks = peer.pending.isEmpty ? "holds all" : "may lack " + list(peer.pending)
            lines.append(
                "\(peer.replica): \(lacks), agreed on news at \(peer.agreedAt) ms since 1970")
        }
        if peers.isEmpty { lines.append("never agreed with another replica") }
        if !onlyHere.isEmpty {
            lines.append("known to be nowhere else: writes in " + list(onlyHere))
        }
        if parked > 0 { lines.append("\(parked) rows were refused and kept; cenotaph parked") }
        if heldDeletes > 0 {
            lines.append("\(heldDeletes) events hold back deletes; cenotaph held")
        }
        return lines
    }

    private func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
