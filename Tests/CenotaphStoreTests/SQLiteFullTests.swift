import CenotaphStore
import CenotaphWire
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A disk without room: the transaction fails, and nothing of it stays.
@Suite struct SQLiteFullTests {
    @Test func theFileMayNotGrow() throws {
        let folder = try TempFolder()
        let store = try folder.store()
        try store.write {
            try store.put("kept", .sample(1))
            try store.setRecord("r", [1])
        }
        try store.limitPages(try store.pageCount() + 2)
        try store.begin(writing: true)
        try store.setRecord("r", [2])
        try store.drop("kept")
        #expect(throws: StoreError.full) {
            for number in UInt64(0)..<1_000 {
                try store.put(try Key("new \(number)"), .sample(number, size: 1_000))
            }
        }
        // From here on nothing of the transaction can be committed, or mistaken for the truth.
        #expect(throws: StoreError.full) { try store.put("late") }
        #expect(throws: StoreError.full) { try store.record("r") }
        #expect(throws: StoreError.full) { try store.commit() }
        try store.read {
            try #expect(store.keys() == ["kept"])
            try #expect(store.record("r") == [1])
        }
        try store.write { try store.setRecord("r", [3]) }
        try store.limitPages(1_000)
        try store.write { try store.put("more", .sample(2, size: 100_000)) }
        store.close()
        let again = try folder.store("store.db", .open)
        try again.read {
            try #expect(again.keys() == ["kept", "more"])
            try #expect(again.record("r") == [3])
        }
    }

    @Test func theSystemLetsNoFileGrow() async {
        // In a process of its own: the limit is for all of a process's files.
        await #expect(processExitsWith: .success) {
            let folder = try TempFolder()
            let store = try folder.store()
            try store.write { try store.put("kept", .sample(1)) }
            try store.checkpoint()
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 100_000, rlim_max: rlim_t.max)
            #if canImport(Glibc)
                try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            #else
                try #require(setrlimit(RLIMIT_FSIZE, &limit) == 0)
            #endif
            #expect(throws: StoreError.full) {
                try store.write {
                    try store.drop("kept")
                    try store.put("long", .sample(2, size: 300_000))
                }
            }
            try #expect(store.read { try store.keys() } == ["kept"])
            try store.write { try store.put("short", .sample(2)) }
            try #expect(store.read { try store.keys() } == ["kept", "short"])
        }
    }
}
