import Cenotaph
import Testing

/// Vehicles with refills, and receipts of refills: what happens to children when a parent goes.
@Suite struct ParentTests {
    let keys = FleetKeys.generate()
    let schema = Schema {
        Namespace("vehicles", .causal)
        Namespace("refills", .causal, childrenOf: "vehicles")
        Namespace("receipts", .lastWriter, childrenOf: "refills")
    }

    func replica() throws -> Replica { try Replica.inMemory(schema: schema, keys: keys) }

    func refill(_ own: UInt8, of vehicle: Key = "car") throws -> Key {
        try Key(child: [own], of: vehicle)
    }

    func sync(_ client: Replica, with server: Replica) async throws {
        let listening = try await PeerServer(server, at: .tcp(host: "127.0.0.1", port: 0))
        let task = Task { try await listening.run() }
        defer { task.cancel() }
        _ = try await Peer(client, over: listening.address).sync(timeout: .seconds(30))
    }

    func fill(_ replica: Replica) async throws {
        let (first, second) = (try refill(1), try refill(2))
        let other = try refill(1, of: "cart")
        let receipt = try Key(child: [9], of: first)
        try await replica.write { tx in
            try tx.put("vehicles", "car", [1])
            try tx.put("vehicles", "cart", [2])
            try tx.put("refills", first, [1])
            try tx.put("refills", second, [2])
            try tx.put("refills", other, [3])
            try tx.put("receipts", receipt, [4])
        }
    }

    @Test func deletingAParentDeletesItsChildrenEverywhere() async throws {
        let (phone, tablet) = (try replica(), try replica())
        try await fill(phone)
        try await sync(tablet, with: phone)
        try await phone.delete("vehicles", "car")
        try await sync(tablet, with: phone)
        for replica in [phone, tablet] {
            #expect(try await replica.list("vehicles").map(\.key) == ["cart"])
            #expect(try await replica.list("refills").map(\.key) == [try refill(1, of: "cart")])
            #expect(try await replica.list("receipts").isEmpty)
            let tombstones = try await replica.digests().map(\.digest.tombstones.count)
            #expect(tombstones == [1, 2, 1])
        }
    }

    @Test func aChildWrittenElsewhereSurvivesAsAnOrphan() async throws {
        let (phone, tablet) = (try replica(), try replica())
        try await fill(phone)
        try await sync(tablet, with: phone)
        try await phone.delete("vehicles", "car")
        let late = try refill(3)
        try await tablet.put("refills", late, [5])
        try await sync(tablet, with: phone)
        for replica in [phone, tablet] {
            #expect(try await replica.get("vehicles", "car") == nil)
            #expect(try await replica.read { try $0.orphans("refills") } == [late])
        }
        let (a, b) = (try await phone.digests(), try await tablet.digests())
        #expect(a.map(\.root) == b.map(\.root))
    }

    @Test func childrenNeedAParentThatIsNotDeleted() async throws {
        let phone = try replica()
        try await fill(phone)
        try await phone.delete("vehicles", "car")
        let child = try refill(7)
        await #expect(throws: GateError.refused(.parentDeleted("car"))) {
            try await phone.put("refills", child, [1])
        }
        await #expect(throws: GateError.refused(.keyWithoutParent("x"))) {
            try await phone.put("refills", "x", [1])
        }
        try await phone.write { try $0.revive("vehicles", "car", [1]) }
        #expect(try await phone.list("refills").count == 1)
        try await phone.put("refills", child, [1])
    }

    @Test func aCascadeIsAllOrNothing() async throws {
        struct Stop: Error {}
        let phone = try replica()
        try await fill(phone)
        let before = try await phone.digests().map(\.root)
        await #expect(throws: Stop.self) {
            try await phone.write { tx in
                try tx.delete("vehicles", "car")
                throw Stop()
            }
        }
        #expect(try await phone.digests().map(\.root) == before)
        #expect(try await phone.list("refills").count == 3)
    }

    @Test func wrongParentsAreNoSchema() {
        #expect(throws: SchemaError.parent("a")) {
            try Schema([Namespace("a", .causal, childrenOf: "b")])
        }
        #expect(throws: SchemaError.parent("a")) {
            try Schema([
                Namespace("a", .causal, childrenOf: "b"), Namespace("b", .causal, childrenOf: "a"),
            ])
        }
        #expect(throws: SchemaError.parent("a")) {
            try Schema([
                Namespace("a", .causal, childrenOf: "b"), Namespace("b", .log(buried: .erase)),
            ])
        }
    }

    @Test func childRangesHoldJustTheChildren() throws {
        for parent in [
            Key("a"), "ab", try Key([0xff]), try Key([UInt8](repeating: 0xff, count: 300)),
        ] {
            let child = try Key(child: [0], of: parent)
            #expect(child.parent == parent)
            #expect(parent.childRange.contains(child))
            #expect(parent.childRange.contains(try Key(child: [0xff, 0xff], of: parent)))
            #expect(!parent.childRange.contains(parent))
            #expect(
                !parent.childRange.contains(try Key(child: [1], of: try Key(parent.bytes + [0]))))
        }
        let longest = try Key([UInt8](repeating: 1, count: 512))
        #expect(throws: WireError(.range, .bytesLength)) { try Key(child: [1], of: longest) }
        #expect(!longest.childRange.contains(longest))
        #expect(Key("plain").parent == nil)
    }
}
