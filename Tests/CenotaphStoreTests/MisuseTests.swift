import CenotaphStore
import CenotaphWire
import Testing

/// Errors of the program stop it, in every store alike.
@Suite struct MisuseTests {
    @Test(arguments: StoreKind.allCases) func nestedBegin(_ kind: StoreKind) async {
        await #expect(processExitsWith: .failure) { [kind = kind as StoreKind] in
            try kind.with { store in
                try store.begin(writing: false)
                try store.begin(writing: false)
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func readingOutside(_ kind: StoreKind) async {
        await #expect(processExitsWith: .failure) { [kind = kind as StoreKind] in
            try kind.with { store in _ = try store.record("a") }
        }
    }

    @Test(arguments: StoreKind.allCases) func writingInAReadingOne(_ kind: StoreKind) async {
        await #expect(processExitsWith: .failure) { [kind = kind as StoreKind] in
            try kind.with { store in
                try store.begin(writing: false)
                try store.setRecord("a", [1])
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func endingInAVisitor(_ kind: StoreKind) async {
        await #expect(processExitsWith: .failure) { [kind = kind as StoreKind] in
            try kind.with { store in
                try store.write { try store.put("a") }
                try store.begin(writing: true)
                try store.scanLeaves(1, .live, .all) { (_, _) throws(StoreError) in
                    try store.commit()
                    return true
                }
            }
        }
    }

    @Test func usingAClosedStore() async {
        await #expect(processExitsWith: .failure) {
            let store = try TempFolder().store()
            store.close()
            store.close()
            store.rollback()
            try store.begin(writing: false)
        }
    }
}
