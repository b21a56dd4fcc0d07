internal import Synchronization

/// Keeps the first value that any task gives it.
final class FirstOf<Value: Sendable>: Sendable {
    private let state = Mutex<Value?>(nil)

    var value: Value? { state.withLock { $0 } }

    func give(_ value: Value) { state.withLock { $0 = $0 ?? value } }
}
