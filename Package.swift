// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "cenotaph",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Cenotaph", targets: ["Cenotaph"]),
        .library(name: "CenotaphTesting", targets: ["CenotaphTesting"]),
        .executable(name: "cenotaph", targets: ["cenotaph-cli"]),
        .executable(name: "cenotaph-bench", targets: ["cenotaph-bench"]),
        .executable(name: "cenotaph-conformance", targets: ["cenotaph-conformance"]),
    ],
    targets: [
        .systemLibrary(
            name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CFiles"),
        .target(name: "CenotaphWire"),
        .target(name: "CenotaphRelay", dependencies: ["CenotaphWire"]),
        .target(name: "CenotaphSeal", dependencies: ["CenotaphWire", "CSodium"]),
        .target(name: "CenotaphMerge", dependencies: ["CenotaphWire"]),
        .target(name: "CenotaphDigest", dependencies: ["CenotaphWire", "CenotaphSeal"]),
        .target(
            name: "CenotaphStore",
            dependencies: [
                "CenotaphWire", "CenotaphSeal", "CenotaphMerge", "CenotaphDigest", "CSQLite",
            ]),
        .target(
            name: "CenotaphSession",
            dependencies: ["CenotaphWire", "CenotaphSeal", "CenotaphMerge", "CenotaphDigest"]),
        .target(
            name: "Cenotaph",
            dependencies: [
                "CenotaphWire", "CenotaphSeal", "CenotaphMerge", "CenotaphDigest",
                "CenotaphStore", "CenotaphSession",
            ]),
        .target(name: "CenotaphTesting", dependencies: ["Cenotaph"]),
        .executableTarget(
            name: "cenotaph-cli", dependencies: ["Cenotaph", "CenotaphRelay", "CFiles"]),
        .executableTarget(
            name: "cenotaph-bench",
            dependencies: [
                "Cenotaph", "CenotaphDigest", "CenotaphMerge", "CenotaphRelay", "CenotaphSeal",
                "CenotaphSession", "CenotaphStore", "CenotaphWire", "CSodium", "CSQLite",
            ]),
        .testTarget(
            name: "CenotaphRelayTests",
            dependencies: [
                "Cenotaph", "CenotaphRelay", "CenotaphTesting", "CenotaphWire", "TestSupport",
            ]),
        .testTarget(name: "CommandLineTests", dependencies: ["cenotaph-cli", "Cenotaph"]),
        .executableTarget(
            name: "cenotaph-conformance",
            dependencies: [
                "CenotaphWire", "CenotaphSeal", "CenotaphMerge", "CenotaphDigest", "CSodium",
            ]),
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .testTarget(name: "CenotaphWireTests", dependencies: ["CenotaphWire", "TestSupport"]),
        .testTarget(
            name: "CenotaphSealTests",
            dependencies: ["CenotaphSeal", "CenotaphWire", "TestSupport"]),
        .testTarget(
            name: "CenotaphDigestTests",
            dependencies: ["CenotaphDigest", "CenotaphSeal", "CenotaphWire", "TestSupport"]),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["cenotaph-conformance", "CenotaphWire", "TestSupport"]),
        .testTarget(
            name: "CenotaphTests", dependencies: ["Cenotaph", "CenotaphDigest", "CenotaphTesting"]),
        .testTarget(
            name: "CenotaphMergeTests",
            dependencies: [
                "Cenotaph", "CenotaphMerge", "CenotaphTesting", "CenotaphWire", "TestSupport",
            ]),
        .testTarget(
            name: "CenotaphSessionTests",
            dependencies: ["Cenotaph", "CenotaphTesting", "CenotaphDigest"]),
        .target(
            name: "CrashDisk", path: "Tests/CrashDisk",
            linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "crash-driver", dependencies: ["Cenotaph", "CenotaphTesting", "CrashDisk"],
            path: "Tests/CrashDriver"),
        .testTarget(
            name: "CenotaphStoreTests",
            dependencies: [
                "Cenotaph", "CenotaphTesting", "CenotaphDigest", "CenotaphStore", "CenotaphWire",
                "CSQLite", "crash-driver",
            ],
            exclude: ["Formats"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    var settings: [SwiftSetting] = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableExperimentalFeature("Lifetimes"),
        .treatAllWarnings(as: .error),
    ]
    if target.type != .test { settings.append(.strictMemorySafety()) }
    target.swiftSettings = settings
}
