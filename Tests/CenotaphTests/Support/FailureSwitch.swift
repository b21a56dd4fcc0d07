import Cenotaph
import CenotaphTesting
import Synchronization

/// Says when the commits of a store fail.
final class FailureSwitch: Sendable {
    private let state = Mutex<StoreError?>(nil)

    /// What commits fail with.
    var failure: StoreError? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Whether commits fail.
    var fails: Bool {
        get { failure != nil }
        set { failure = newValue ? .full : nil }
    }

    /// A store in memory whose commits fail while the switch is on.
    func store() -> FaultyStore {
        let store = FaultyStore(MemoryStore())
        store.willCall = { [self] call in call == .commit ? failure : nil }
        return store
    }
}
