import Cenotaph

/// One command of the tool.
struct Command: Sendable {
    let name: String
    let usage: String
    let summary: String
    var options: Set<String> = []
    var flags: Set<String> = []
    let run: @Sendable (Arguments) async throws -> ExitCode

    /// Every command, in the order of the help.
    static let all: [Command] = [
        .initialise, .importFiles, .mirror, .put, .get, .delete, .bury, .list, .explain, .digest,
        .serve, .sync, .relay, .status, .held, .parked, .erasure, .scrub, .inspect, .demo,
    ]

    /// Runs the command that the words name.
    static func run(_ words: [String]) async -> ExitCode {
        if words.first == "--home", words.count > 2 {
            return await run(Array(words.dropFirst(2)) + words.prefix(2))
        }
        if words == ["--version"] {
            System.print(Version.description)
            return .done
        }
        guard let name = words.first, name != "help", name != "--help", name != "-h" else {
            System.print(help(for: words.dropFirst().first))
            return .done
        }
        guard let command = all.first(where: { $0.name == name }) else {
            System.printError("cenotaph: no such command: \(name); see cenotaph help")
            return .usage
        }
        if words.contains("--help") || words.contains("-h") {
            System.print(help(for: name))
            return .done
        }
        do {
            let arguments = try Arguments(
                Array(words.dropFirst()), options: command.options.union(["home"]),
                flags: command.flags.union(["json"]))
            return try await command.run(arguments)
        } catch {
            let failure = Failure(describing: error)
            System.printError("cenotaph \(name): \(failure.message)")
            if failure.code == .usage { System.printError("usage: cenotaph \(command.usage)") }
            return failure.code
        }
    }
}

extension Failure {
    /// Words and exit code for whatever went wrong.
    init(describing error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case GateError.refused(let refusal): self.init(.refused, Failure.words(refusal))
        case GateError.store(let error): self.init(.unusable, Failure.words(error))
        case let error as StoreError: self.init(.unusable, Failure.words(error))
        case GateError.rejected(let error): self.init(.rejected, "rejected: \(error)")
        case GateError.otherFleet:
            self.init(.unusable, "the store belongs to another fleet than the key file")
        case GateError.policyChanged(let name, _, let asked):
            self.init(.unusable, "the store holds \(name) under another policy than \(asked)")
        case GateError.otherStorage(let name, _):
            self.init(.unreadable, "the listing of \(name) is from another storage")
        case GateError.noHeldDeletes(let event):
            self.init(.nothingFound, "no event \(event) holds back deletes here")
        case let error as FileError: self.init(.unreadable, "\(error)")
        case let error as KeyFileError: self.init(.unusable, Failure.words(error))
        case let error as SchemaError: self.init(.usage, "not a schema: \(error)")
        case let error as PeerError: self.init(.notConverged, Failure.words(error))
        case let error as WireError: self.init(.rejected, "rejected: \(error)")
        default: self.init(.bug, "\(error)")
        }
    }

    private static func words(_ refusal: WriteRefusal) -> String {
        switch refusal {
        case .rowDeleted(let key):
            "\(key) is deleted; --revive brings it back as a new write [MERGE-015]"
        case .groupBuried(let group): "\(group) is buried, for ever [MERGE-006]"
        case .eventExists(let key): "\(key) has another event already [MERGE-007]"
        case .messageExists(let key): "\(key) has a message already [MERGE-036]"
        case .messageUnknown(let key): "\(key) is not known here [MERGE-037]"
        case .messageDeleted(let key): "\(key) is deleted, for good [MERGE-037]"
        case .notAuthor(let key): "\(key) is no message of this fleet"
        case .bodyTooLarge(let bytes):
            "a body of \(bytes) bytes is over the limit of \(Limits.maxBody) [CONV-007]"
        case .rowTooLarge(let key): "\(key) would grow over its limit [CONV-009]"
        case .tooManyWriters(let key): "\(key) has too many writers [MERGE-016]"
        case .unseenOwnValue(let key):
            "\(key) was written here by something else meanwhile [MERGE-017]"
        case .clockExhausted: "no later time can be written [MODEL-008]"
        case .keyWithoutParent(let key): "\(key) is not the key of a child [MERGE-051]"
        case .parentDeleted(let key): "the parent \(key) is deleted [MERGE-051]"
        case .unresolved(let key, let error): "the values of \(key) stay: \(error) [MERGE-061]"
        case .unknownNamespace(let name): "no namespace \(name) here"
        case .wrongPolicy(let name, let policy):
            "\(name) is a \(policy) namespace: "
                + Failure.writes(of: policy)
        }
    }

    private static func writes(of policy: Policy) -> String {
        switch policy {
        case .log: "it has put with --group, and bury"
        case .causal, .lastWriter, .derived: "it has put and delete, and no groups"
        case .messages: "this tool only lists it"
        }
    }

    private static func words(_ error: StoreError) -> String {
        switch error {
        case .notAStore: "the store file is not a Cenotaph store; it was left alone"
        case .newerFormat(let found, let known):
            "the store file has format \(found), this program knows \(known)"
        case .olderFormat(let found, let known):
            "the store file has format \(found), and may not be brought to \(known)"
        case .corrupt(let what): "the store file is damaged: \(what)"
        case .locked: "another process holds the store"
        case .full: "the disk is full; nothing was written"
        case .readOnly: "the store may only be read"
        case .notFound: "no store here; cenotaph init makes one"
        case .failed(let code, let words): "the store failed: \(words) (\(code))"
        }
    }

    private static func words(_ error: KeyFileError) -> String {
        switch error {
        case .notFound: "no key file here; cenotaph init makes one"
        case .exists: "a key file is there already"
        case .openToOthers: "the key file may be read by others; chmod 600 it [SEAL-031]"
        case .malformed(let error): "the key file is malformed: \(error)"
        case .failed(let number): "the key file cannot be used: \(System.words(number))"
        }
    }

    private static func words(_ failure: RelayFailure) -> String {
        switch failure {
        case .refused(.token): "the relay asks for a token, which --token-file gives [RELAY-004]"
        case .refused(let status): "the relay refused the connection: \(status) [RELAY-004]"
        case .ended(let reason):
            "the relay ended the connection: \(reason.map { "\($0)" } ?? "no known reason") [RELAY-015]"
        case .silent: "the relay does not answer"
        case .stalled: "something was lost on the way through the relay [RELAY-019]"
        }
    }

    private static func words(_ error: PeerError) -> String {
        switch error {
        case .badAddress(let address): "no such address: \(address)"
        case .system(let call, let number): "\(call) failed: \(System.words(number))"
        case .malformedStream(let error): "the peer's stream is malformed: \(error)"
        case .closed: "the peer closed the connection"
        case .silent: "the peer has sent nothing for too long"
        case .stalled: "the peer has taken nothing for too long"
        case .noHello: "the peer said no hello: it has other keys, or is no peer"
        case .flooded: "the peer asks for more than it reads"
        case .blocked(_, Rule.sameSchema.rawValue):
            "the two have different namespaces; init both with the same --namespace words [MODEL-014]"
        case .blocked(let errorClass, let rule):
            "the two cannot exchange rows: \(errorClass.name) [\(rule)]"
        case .store(let error): words(error)
        case .relay(let failure): words(failure)
        case .notConverged: "the two did not agree in time"
        }
    }
}
