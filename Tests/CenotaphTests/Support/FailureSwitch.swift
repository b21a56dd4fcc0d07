import Cenotaph
import CenotaphTesting
import Synchronization

/// Says when the commits of a store fail.
final class FailureSwitch: Sendable {
    private let isOn = Mutex(false)

    /// Whether commits fail.
    var fails: Bool {
        get { isOn.withLock { $0 } }
        set { isOn.withLock { $0 = newValue } }
    }

    /// A store in memory whose commits fail while the switch is on.
    func store() -> FaultyStore {
        let store = FaultyStore(MemoryStore())
        store.willCall = { [self] call in call == .commit && fails ? .full : nil }
        return store
    }
}
