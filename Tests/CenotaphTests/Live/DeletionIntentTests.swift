import Testing

@testable import Cenotaph

@Suite struct DeletionIntentTests {
    @Test func nothingIsAskedAtFirst() {
        var intent = DeletionIntent<Int>()
        #expect(intent.pending == nil)
        #expect(intent.confirm(in: [1, 2], selected: 1) == nil)
    }

    @Test func cancellingDeletesNothing() {
        var intent = DeletionIntent<Int>()
        intent.request(1)
        #expect(intent.pending == 1)
        intent.cancel()
        #expect(intent.pending == nil)
        #expect(intent.confirm(in: [1, 2], selected: 1) == nil)
    }

    @Test func confirmingHappensOnce() {
        var intent = DeletionIntent<Int>()
        intent.request(2)
        #expect(intent.confirm(in: [1, 2, 3], selected: 1) == .init(id: 2, selection: 1))
        #expect(intent.pending == nil)
        #expect(intent.confirm(in: [1, 2, 3], selected: 1) == nil)
    }

    @Test func theLastRequestCounts() {
        var intent = DeletionIntent<String>()
        intent.request("a")
        intent.request("b")
        #expect(intent.confirm(in: ["a", "b"], selected: nil) == .init(id: "b", selection: nil))
    }

    @Test func aTargetThatWentAwayIsNothingToDelete() {
        var intent = DeletionIntent<Int>()
        intent.request(2)
        #expect(intent.confirm(in: [1, 3], selected: 2) == nil)
        #expect(intent.pending == nil)
        #expect(DeletionIntent.selection(afterDeleting: 2, in: [1, 3], selected: 3) == 3)
        #expect(DeletionIntent.selection(afterDeleting: 2, in: [1, 3], selected: 2) == 2)
    }

    /// Deleted id, order, selected id, selected id afterwards.
    @Test(
        arguments: [
            (1, [1, 2, 3], 1, 2), (2, [1, 2, 3], 2, 3), (3, [1, 2, 3], 3, 2), (1, [1], 1, nil),
            (1, [1, 2, 3], 3, 3), (1, [1, 2, 3], nil, nil), (3, [3, 1, 2], 3, 1),
            (2, [1, 2, 2], 2, 1), (9, [], 9, 9), (9, [], nil, nil),
        ] as [(Int, [Int], Int?, Int?)])
    func whatIsSelectedNext(deleted: Int, order: [Int], selected: Int?, expected: Int?) {
        #expect(
            DeletionIntent.selection(afterDeleting: deleted, in: order, selected: selected)
                == expected)
        var intent = DeletionIntent<Int>()
        intent.request(deleted)
        let confirmed = intent.confirm(in: order, selected: selected)
        #expect(confirmed?.selection == (order.contains(deleted) ? expected : nil))
    }
}
