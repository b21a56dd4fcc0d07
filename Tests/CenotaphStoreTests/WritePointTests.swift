import Cenotaph
import CenotaphTesting
import Foundation
import Testing

@testable import crash_driver

/// The process is killed, or the power fails, at each call that changes a file.
///
/// A child does the steps of `CrashScript` over a disk that ends it by SIGKILL. Whatever the point: what was acknowledged
/// is there, the step that was not is whole or absent, and what was deleted stays deleted after a sync.
@Suite struct WritePointTests {
    /// As in `crash_disk.h`.
    enum Mode: Int, CaseIterable, Codable { case kill, killHalfway, powerLoss }

    private struct Run {
        var steps = 0
        var calls: Int?
        var wasKilled = false
    }

    /// The driver stands beside the test bundle.
    private func driver() throws -> URL {
        let bundle = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let candidates = [bundle, Bundle.main.bundleURL, bundle.deletingLastPathComponent()]
            .map { $0.appending(path: "crash-driver") }
        return try #require(
            candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) })
    }

    /// Lets a child do the script until the call of that number; 0 lets it come to its end.
    private func run(_ folder: TempFolder, _ killAt: Int, _ mode: Mode, _ seed: UInt64) throws
        -> Run
    {
        let process = Process()
        process.executableURL = try driver()
        process.arguments = [folder.file(), "\(killAt)", "\(mode.rawValue)", "\(seed)"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        var run = Run()
        run.wasKilled =
            process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
        for line in text.split(separator: "\n") {
            if line.hasPrefix("done ") { run.steps += 1 }
            if line.hasPrefix("calls ") { run.calls = Int(line.dropFirst(6)) }
        }
        return run
    }

    @Test(arguments: Mode.allCases) func everyWritePoint(_ mode: Mode) throws {
        let reference = try CrashReference()
        let whole = try run(try TempFolder(), 0, mode, 0)
        let points = try #require(whole.calls)
        #expect(whole.steps == CrashScript.count)
        let seed = Environment.number("CENOTAPH_SEED") ?? UInt64.random(in: 0...UInt64.max)
        let isWhole = Environment.number("CENOTAPH_ALL_WRITE_POINTS") != nil
        let stride = isWhole ? 1 : 29
        let start = isWhole ? 1 : 1 + Int(seed % UInt64(stride))
        print("everyWritePoint \(mode): \(points) points, CENOTAPH_SEED=\(seed)")
        for point in Swift.stride(from: start, through: points, by: stride) {
            let place = "\(mode), point \(point), seed \(seed)"
            let folder = try TempFolder()
            let run = try run(folder, point, mode, seed &+ UInt64(point))
            try #require(run.wasKilled, "\(place): it was not killed")
            do {
                try check(folder, run.steps, reference, place)
            } catch {
                Issue.record("\(place): \(error)")
            }
        }
    }

    private func check(
        _ folder: TempFolder, _ steps: Int, _ reference: CrashReference, _ place: String
    ) throws {
        let store = try folder.store()
        let tables = try CrashReference.tables(folder)
        let moments = reference.moments
        guard
            let found = [steps, steps + 1].first(where: {
                $0 < moments.count && moments[$0].tables == tables
            })
        else {
            Issue.record("\(place): after \(steps) steps the store holds\n\(tables)")
            return
        }
        let wide = tables.contains(StoreDump.record("tags"))
        let schema = wide ? CrashScript.widerSchema : CrashScript.schema
        let bench = try GateBench(store, schema: schema, seed: CrashScript.seed)
        #expect(try bench.inconsistency() == nil, "\(place)")
        // A peer that heard of everything before the deletes, and did not change anything.
        let fleet = try SimulatedFleet(
            2, schema: schema, random: SeededRandom(seed: CrashScript.seed),
            makeStore: { replica, _ -> any Store in
                if replica == 0 { store } else { MemoryStore() }
            })
        _ = try fleet.replicas[1].gate.write { tx in
            for (name, row) in moments[min(found, CrashScript.heard)].rows {
                _ = try tx.merge(name, row)
            }
        }
        try fleet.connect(0, 1)
        try fleet.runUntilQuiet(within: 8)
        #expect(try fleet.isConverged(), "\(place)")
        for number in 0...1 {
            let view = try fleet.replicas[number].view()
            for (name, keys) in moments[found].gone {
                let back = keys.intersection(view[name]?.keys.map { $0 } ?? [])
                #expect(back.isEmpty, "\(place): \(name) \(back) is back on \(number)")
            }
            for (name, keys) in moments[found].view where schema[name]?.policy.isReplicated == true
            {
                let lost = keys.subtracting(view[name]?.keys.map { $0 } ?? [])
                #expect(lost.isEmpty, "\(place): \(name) \(lost) is lost on \(number)")
            }
        }
        store.close()
    }
}
