import Cenotaph

extension Command {
    static let initialise = Command(
        name: "init",
        usage: "init [--home DIR] [--join KEYFILE] [--namespace NAME=POLICY ...]",
        summary: """
            Make a new replica, of a new fleet or of the fleet of a key file

            POLICY is causal (rows that are edited), last-writer (rows with one natural writer; the
            last write wins, a delete wins a tie), log (events in groups; a buried group is
            erased), log-hide (a buried group is hidden) or derived (never leaves the device).
            Without --namespace: notes=causal and journal=log. All devices of a fleet need the same
            namespaces. Copy fleet.key to another device over a channel that you trust: whoever has
            it is a member.
            """,
        options: ["join", "namespace"]
    ) { arguments in
        _ = try arguments.take()
        let home = Home(arguments)
        let given = arguments.all("namespace")
        let names = given.isEmpty ? ["notes=causal", "journal=log"] : given
        let namespaces = try names.map(Home.namespace)
        guard !File.exists(home.storeFile) else {
            throw Failure(.refused, "a replica is in \(home.path) already")
        }
        let replica = try await home.make(joining: arguments.value("join"), namespaces)
        if arguments.has("json") {
            try printJSON(["home": home.path, "replica": "\(replica.id)"])
        } else {
            System.print("replica \(replica.id) in \(home.path)")
        }
        return .done
    }
}
