import Cenotaph
internal import CrashDisk

// Usage: crash-driver PATH KILL-AT MODE SEED. Runs the script over a disk that fails, says `done N` after each step that
// is acknowledged, and `calls N` at the end.

let words = CommandLine.arguments
guard words.count == 5, let killAt = Int64(words[2]), let mode = Int32(words[3]),
    let seed = UInt64(words[4])
else { preconditionFailure("PATH KILL-AT MODE SEED") }
guard crash_disk_install(killAt, mode, seed) == 0 else { preconditionFailure("no such disk") }
let script = try CrashScript { try SQLiteStore(path: words[1], mode: .create) }
for step in 0..<CrashScript.count {
    try script.run(step)
    try Report.say("done \(step)")
}
try Report.say("calls \(crash_disk_calls())")
