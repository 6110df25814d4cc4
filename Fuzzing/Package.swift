// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "HeadroomFuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Headroom", path: "..", traits: ["Protection"]),
        .package(name: "HeadroomTools", path: "../Tools"),
    ],
    targets: [
        // The targets themselves are modules of the packages whose parsers they call, which are no public
        // interface. One program for all, since linking one takes longer than compiling all.
        .executableTarget(
            name: "headroom-fuzz",
            dependencies: [
                .product(name: "HeadroomFuzzTargets", package: "Headroom"),
                .product(name: "HeadroomServiceFuzzTargets", package: "HeadroomTools"),
            ],
            path: "Program/headroom-fuzz",
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .strictMemorySafety(),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                // The program's main is libFuzzer's.
                .unsafeFlags(["-parse-as-library"]),
            ]
        )
    ]
)
