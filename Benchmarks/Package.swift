// swift-tools-version: 6.2

import PackageDescription

/// Set by `Scripts/check`.
let warningsAreErrors = Context.environment["HEADROOM_WARNINGS_AS_ERRORS"] != nil

let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])

let package = Package(
    name: "HeadroomBenchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Headroom", path: "..", traits: ["Protection"]),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        // The floor of what protection costs.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        // C, without any runtime: what it costs is what the kernel costs.
        .executableTarget(
            name: "headroom-floor",
            // Else the Swift runtime is loaded all the same.
            linkerSettings: [
                .unsafeFlags(
                    ["-static-stdlib", "-nostartfiles"], .when(platforms: [.linux]))
            ]
        ),
        .executableTarget(
            name: "headroom-bench",
            dependencies: [
                .product(name: "Headroom", package: "Headroom"),
                .product(name: "HeadroomEngine", package: "Headroom"),
                .product(name: "HeadroomProtection", package: "Headroom"),
                .product(name: "HeadroomTestSupport", package: "Headroom"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings
        ),
    ]
)
