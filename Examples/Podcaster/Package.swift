// swift-tools-version: 6.2

import PackageDescription

/// Set by `Scripts/check`.
let warningsAreErrors = Context.environment["HEADROOM_WARNINGS_AS_ERRORS"] != nil

let package = Package(
    name: "Podcaster",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Headroom", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "podcaster",
            dependencies: [
                .product(name: "Headroom", package: "Headroom"),
                .product(name: "HeadroomDownloads", package: "Headroom"),
            ],
            path: "Sources/Podcaster",
            swiftSettings: warningsAreErrors ? [.treatAllWarnings(as: .error)] : []
        )
    ]
)
