import CenotaphStore
import CenotaphWire
import Testing

/// Errors of the program stop it, in every store alike.
@Suite struct MisuseTests {
    private let folder: TempFolder

    init() throws { folder = try TempFolder() }

    /// A child that fails in another way than by a trap has tested nothing.
    private func expectTrap(_ result: ExitTest.Result?) {
        guard let result, case .signal = result.exitStatus else {
            Issue.record("no trap: \(String(describing: result?.exitStatus))")
            return
        }
    }

    @Test(arguments: StoreKind.allCases) func nestedBegin(_ kind: StoreKind) async {
        let result = await #expect(processExitsWith: .failure) {
            [kind = kind as StoreKind, path = folder.path as String] in
            try kind.with(in: TempFolder(lentBy: path)) { store in
                try store.begin(writing: false)
                try store.begin(writing: false)
            }
        }
        expectTrap(result)
    }

    @Test(arguments: StoreKind.allCases) func readingOutside(_ kind: StoreKind) async {
        let result = await #expect(processExitsWith: .failure) {
            [kind = kind as StoreKind, path = folder.path as String] in
            try kind.with(in: TempFolder(lentBy: path)) { store in _ = try store.record("a") }
        }
        expectTrap(result)
    }

    @Test(arguments: StoreKind.allCases) func writingInAReadingOne(_ kind: StoreKind) async {
        let result = await #expect(processExitsWith: .failure) {
            [kind = kind as StoreKind, path = folder.path as String] in
            try kind.with(in: TempFolder(lentBy: path)) { store in
                try store.begin(writing: false)
                try store.setRecord("a", [1])
            }
        }
        expectTrap(result)
    }

    @Test(arguments: StoreKind.allCases) func endingInAVisitor(_ kind: StoreKind) async {
        let result = await #expect(processExitsWith: .failure) {
            [kind = kind as StoreKind, path = folder.path as String] in
            try kind.with(in: TempFolder(lentBy: path)) { store in
                try store.write { try store.put("a") }
                try store.begin(writing: true)
                try store.scanLeaves(1, .live, .all) { (_, _) throws(StoreError) in
                    try store.commit()
                    return true
                }
            }
        }
        expectTrap(result)
    }

    @Test func usingAClosedStore() async {
        let result = await #expect(processExitsWith: .failure) { [path = folder.path as String] in
            let store = try TempFolder(lentBy: path).store()
            store.close()
            store.close()
            store.rollback()
            try store.begin(writing: false)
        }
        expectTrap(result)
    }
}
