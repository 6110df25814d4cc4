// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "HeadroomFuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Headroom", path: "..", traits: ["Protection"])],
    targets: [
        // The targets themselves are a module of the library's package, whose parsers are no public
        // interface. One program for all, since linking one takes longer than compiling all.
        .executableTarget(
            name: "headroom-fuzz",
            dependencies: [.product(name: "HeadroomFuzzTargets", package: "Headroom")],
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
