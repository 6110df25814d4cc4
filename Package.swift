// swift-tools-version: 6.2

import PackageDescription

/// Set by `Scripts/check`: an app that embeds the library is never broken by a new warning.
let warningsAreErrors = Context.environment["HEADROOM_WARNINGS_AS_ERRORS"] != nil

let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
    ] + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])

/// Not for the platform layer and the test fixtures: which of several C modules the compiler takes
/// a struct of libc to be from depends on what it has read first, so no import is right in every
/// build.
let memberImports: [SwiftSetting] = [.enableUpcomingFeature("MemberImportVisibility")]

// What Apple's app review wants to know of a library. Not on Linux: there nobody asks, and a resource would
// bring code that looks for it, and with it all of Foundation.
#if os(Linux)
let privacyManifest: [Resource] = []
let notBuilt = ["PrivacyInfo.xcprivacy"]
#else
let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
let notBuilt: [String] = []
#endif

/// A module of the engine.
func engineModule(_ name: String, uses modules: [Target.Dependency]) -> Target {
    .target(
        name: name,
        dependencies: ["HeadroomPlatform"] + modules + [
            .product(name: "SystemPackage", package: "swift-system")
        ],
        swiftSettings: settings + memberImports)
}

/// The tests of a module of the engine, which use the engine as a whole.
func engineTests(_ name: String, uses programs: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: name,
        dependencies: ["HeadroomPromises", "HeadroomEngine", "HeadroomTestSupport"] + programs,
        swiftSettings: settings + memberImports)
}

let package = Package(
    name: "Headroom",
    platforms: [.iOS(.v18), .tvOS(.v18), .macOS(.v15), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Headroom", targets: ["Headroom"]),
        .library(name: "HeadroomDownloads", targets: ["HeadroomDownloads"]),
        .library(name: "HeadroomApple", targets: ["HeadroomApple"]),
        .library(name: "HeadroomEngine", targets: ["HeadroomEngine", "HeadroomPlatform"]),
        // With the trait Protection; else it is empty.
        .library(name: "HeadroomProtection", targets: ["HeadroomProtection"]),
        .library(name: "HeadroomTestSupport", targets: ["HeadroomTestSupport"]),
        .library(name: "HeadroomPromises", targets: ["HeadroomPromises"]),
        // For the package in Fuzzing.
        .library(name: "HeadroomFuzzTargets", targets: ["HeadroomFuzzTargets"]),
    ],
    traits: [
        .trait(
            name: "Protection",
            description: "Encryption at rest where the system has none; brings swift-crypto.")
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        // Neither fetched nor built for whoever does not enable the trait: Scripts/check-client.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        .target(name: "CHeadroomShims"),
        .target(
            name: "HeadroomPlatform",
            dependencies: [
                "CHeadroomShims",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            // Here, since these are the calls it speaks of, and all products have them.
            exclude: notBuilt,
            resources: privacyManifest,
            // For spans of arrays (Values/Array+Span.swift).
            swiftSettings: settings + [.enableExperimentalFeature("Lifetimes")]
        ),
        // The engine, by layers: Documentation/architecture.md.
        engineModule("HeadroomCore", uses: []),
        engineModule("HeadroomCache", uses: ["HeadroomCore"]),
        engineModule("HeadroomCatalog", uses: ["HeadroomCore"]),
        engineModule("HeadroomInventory", uses: ["HeadroomCore"]),
        engineModule("HeadroomPlanning", uses: ["HeadroomCore", "HeadroomInventory"]),
        engineModule(
            "HeadroomPurging",
            uses: ["HeadroomCore", "HeadroomCache", "HeadroomInventory", "HeadroomPlanning"]),
        engineModule(
            "HeadroomWorkspace",
            uses: [
                "HeadroomCore", "HeadroomCache", "HeadroomCatalog", "HeadroomInventory",
                "HeadroomPlanning", "HeadroomPurging",
            ]),
        engineModule(
            "HeadroomPolicies",
            uses: [
                "HeadroomCore", "HeadroomCache", "HeadroomCatalog", "HeadroomInventory",
                "HeadroomPlanning", "HeadroomPurging", "HeadroomWorkspace",
            ]),
        // All of them by one name.
        engineModule(
            "HeadroomEngine",
            uses: [
                "HeadroomCore", "HeadroomCache", "HeadroomCatalog", "HeadroomInventory",
                "HeadroomPlanning", "HeadroomPurging", "HeadroomWorkspace", "HeadroomPolicies",
            ]),
        .target(
            name: "Headroom",
            dependencies: [
                "HeadroomCore", "HeadroomCache", "HeadroomInventory", "HeadroomPlanning",
                "HeadroomPurging", "HeadroomWorkspace", "HeadroomPlatform",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings + memberImports
        ),
        // Apart, since it needs all of Foundation and libcurl on Linux.
        .target(
            name: "HeadroomDownloads",
            dependencies: [
                "Headroom", "HeadroomEngine", "HeadroomPlatform",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings + memberImports
        ),
        // What calls Apple's frameworks is left out elsewhere; the life cycles are built and tested everywhere.
        .target(
            name: "HeadroomApple",
            dependencies: [
                "Headroom", "HeadroomEngine", "HeadroomPlatform",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings + memberImports
        ),
        .target(
            name: "HeadroomProtection",
            dependencies: [
                "Headroom", "HeadroomEngine", "HeadroomPlatform",
                .product(name: "SystemPackage", package: "swift-system"),
                .product(
                    name: "Crypto", package: "swift-crypto",
                    condition: .when(traits: ["Protection"])),
                .product(
                    name: "CryptoExtras", package: "swift-crypto",
                    condition: .when(traits: ["Protection"])),
            ],
            swiftSettings: settings + memberImports
        ),
        .target(
            name: "HeadroomTestSupport",
            dependencies: [
                "CHeadroomShims", "HeadroomPlatform", "HeadroomEngine",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings
        ),
        // The tags of the tests, one for each clause of a promise: Scripts/promises.
        .target(name: "HeadroomPromises", swiftSettings: settings),
        // Here, since the parsers are no public interface; whoever depends on the package does not build it.
        .target(
            name: "HeadroomFuzzTargets",
            dependencies: [
                "HeadroomProtection", "HeadroomEngine", "HeadroomPlatform",
                .product(name: "SystemPackage", package: "swift-system"),
                .product(
                    name: "Crypto", package: "swift-crypto",
                    condition: .when(traits: ["Protection"])),
            ],
            path: "Fuzzing/Sources",
            swiftSettings: settings + memberImports
        ),
        .testTarget(
            name: "HeadroomPlatformTests",
            dependencies: ["HeadroomPromises", "HeadroomPlatform", "HeadroomTestSupport"],
            swiftSettings: settings
        ),
        // A process of its own for tests that kill it; no product.
        .executableTarget(
            name: "PurgeDriver",
            dependencies: [
                "HeadroomEngine", "HeadroomPlatform",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/PurgeDriver",
            swiftSettings: settings
        ),
        // A process of its own for tests that kill it or let several share a store; no product.
        .executableTarget(
            name: "CacheDriver",
            dependencies: [
                "HeadroomEngine", "HeadroomPlatform", "HeadroomTestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/CacheDriver",
            swiftSettings: settings
        ),
        // Counts allocations of the program that it is linked with; no product.
        .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
        // A process of its own for tests that count its system calls; no product.
        .executableTarget(
            name: "BudgetDriver",
            dependencies: [
                "CAllocationCounter", "Headroom", "HeadroomEngine", "HeadroomPlatform",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/BudgetDriver",
            swiftSettings: settings
        ),
        engineTests("HeadroomCoreTests", uses: ["PurgeDriver"]),
        engineTests("HeadroomCacheTests", uses: ["CacheDriver"]),
        engineTests("HeadroomCatalogTests"),
        engineTests("HeadroomInventoryTests"),
        engineTests("HeadroomPlanningTests"),
        engineTests("HeadroomPurgingTests", uses: ["PurgeDriver", "BudgetDriver"]),
        engineTests("HeadroomWorkspaceTests"),
        engineTests("HeadroomPoliciesTests"),
        // A process of its own for tests of what processes share; no product.
        .executableTarget(
            name: "StorageDriver",
            dependencies: [
                "Headroom", "HeadroomEngine", "HeadroomPlatform",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/StorageDriver",
            swiftSettings: settings
        ),
        // A process of its own for tests that kill a download; no product.
        .executableTarget(
            name: "DownloadDriver",
            dependencies: [
                "Headroom", "HeadroomDownloads", "HeadroomPlatform",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/DownloadDriver",
            swiftSettings: settings
        ),
        .testTarget(
            name: "HeadroomTests",
            dependencies: [
                "HeadroomPromises",
                "Headroom", "HeadroomDownloads", "HeadroomEngine", "HeadroomTestSupport",
                "StorageDriver", "DownloadDriver",
            ],
            swiftSettings: settings + memberImports
        ),
        // A module beside Headroom in an app.
        .target(name: "OtherNames", path: "Tests/OtherNames", swiftSettings: settings),
        // Imports Headroom alone, as an app does.
        .testTarget(
            name: "HeadroomClientTests",
            dependencies: ["Headroom", "OtherNames"],
            swiftSettings: settings + memberImports
        ),
        // A process of its own for tests that kill it while it writes; no product.
        .executableTarget(
            name: "ProtectionDriver",
            dependencies: [
                "HeadroomProtection", "HeadroomPlatform",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/ProtectionDriver",
            swiftSettings: settings + memberImports
        ),
        .testTarget(
            name: "HeadroomProtectionTests",
            dependencies: [
                "HeadroomPromises",
                "HeadroomProtection", "HeadroomTestSupport", "ProtectionDriver",
                .product(
                    name: "Crypto", package: "swift-crypto",
                    condition: .when(traits: ["Protection"])),
            ],
            exclude: ["Vectors"],
            swiftSettings: settings + memberImports
        ),
        .testTarget(
            name: "HeadroomAppleTests",
            dependencies: [
                "HeadroomPromises",
                "HeadroomApple", "Headroom", "HeadroomEngine", "HeadroomPlatform",
                "HeadroomTestSupport",
            ],
            swiftSettings: settings + memberImports
        ),
        .testTarget(
            name: "HeadroomTestSupportTests",
            dependencies: ["HeadroomPlatform", "HeadroomTestSupport"],
            swiftSettings: settings + memberImports
        ),
    ]
)
