// swift-tools-version: 6.2

import PackageDescription

/// Set by `Scripts/check`.
let warningsAreErrors = Context.environment["HEADROOM_WARNINGS_AS_ERRORS"] != nil

/// What SwiftPM calls the library's package: the name of its directory. With it, what the library declares
/// for its own modules can be called: its parsers are no public interface.
let library = Context.packageDirectory.split(separator: "/").dropLast().last.map {
    $0.lowercased()
}

let package = Package(
    name: "HeadroomFuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Headroom", path: "..", traits: ["Protection"]),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        .target(name: "CFuzzer"),
        // One program for all targets, since linking one takes longer than compiling all: a folder each.
        .executableTarget(
            name: "headroom-fuzz",
            dependencies: [
                "CFuzzer",
                .product(name: "HeadroomEngine", package: "Headroom"),
                .product(name: "HeadroomProtection", package: "Headroom"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Sources",
            exclude: ["CFuzzer"],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .strictMemorySafety(),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .unsafeFlags(["-package-name", library ?? "headroom"]),
            ] + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])
        ),
    ]
)
