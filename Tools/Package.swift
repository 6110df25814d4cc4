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
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
    ] + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])

/// For the packages that headroom doesn't need.
let withAllPrograms = TargetDependencyCondition.when(traits: ["AllPrograms"])

// Not on Linux: it would link the shared library.
#if os(Linux)
let yamlPackage: String? = nil
#else
let yamlPackage: String? = "yaml-0.1"
#endif

// The programs, apart from the library: whoever embeds it does not fetch an argument parser.
let package = Package(
    name: "HeadroomTools",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "headroom", targets: ["HeadroomMain"]),
        .executable(name: "headroomd", targets: ["HeadroomDaemonMain"]),
        .executable(name: "headroom-protect", targets: ["HeadroomProtectMain"]),
        // For the package in ../Fuzzing.
        .library(name: "HeadroomServiceFuzzTargets", targets: ["HeadroomServiceFuzzTargets"]),
    ],
    traits: [
        .default(enabledTraits: ["AllPrograms"]),
        // `make run` disables it: then the packages of the server, database and cryptography aren't fetched.
        .trait(
            name: "AllPrograms", description: "Also headroomd and headroom-protect."),
    ],
    dependencies: [
        .package(
            name: "Headroom", path: "..",
            traits: [.trait(name: "Protection", condition: .when(traits: ["AllPrograms"]))]),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(
            url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Without its traits: neither its configuration nor its file server is used.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        // What Hummingbird stands on: for sockets that it does not take.
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    ],
    targets: [
        // The page: files for a browser, and what finds them.
        .target(
            name: "HeadroomDashboard",
            resources: [.copy("Resources")],
            swiftSettings: settings
        ),
        // The system's libyaml. Yams would link all of Foundation, with 34 MB of ICU data.
        .systemLibrary(
            name: "CYAML", pkgConfig: yamlPackage,
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        // The daemon's configuration: files read, checked and merged.
        .target(
            name: "HeadroomConfiguration",
            dependencies: [
                "CYAML",
                .product(name: "HeadroomEngine", package: "Headroom"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings,
            // Static: the programs run where libyaml isn't installed.
            linkerSettings: [.linkedLibrary(":libyaml.a", .when(platforms: [.linux]))]
        ),
        // What requests to the daemon say, read and checked.
        .target(
            name: "HeadroomRequests",
            dependencies: [
                .product(name: "HeadroomEngine", package: "Headroom"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(
                    name: "HTTPTypes", package: "swift-http-types", condition: withAllPrograms),
            ],
            swiftSettings: settings
        ),
        // The daemon's state on disk, which commands read too.
        .target(
            name: "HeadroomServiceModel",
            dependencies: [
                "HeadroomConfiguration",
                .product(name: "HeadroomEngine", package: "Headroom"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "HeadroomService",
            dependencies: [
                "HeadroomConfiguration", "HeadroomDashboard", "HeadroomRequests",
                "HeadroomServiceModel",
                .product(name: "Headroom", package: "Headroom"),
                .product(name: "HeadroomEngine", package: "Headroom"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "Logging", package: "swift-log", condition: withAllPrograms),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle",
                    condition: withAllPrograms),
                .product(
                    name: "UnixSignals", package: "swift-service-lifecycle",
                    condition: withAllPrograms),
                .product(name: "GRDB", package: "GRDB.swift", condition: withAllPrograms),
                .product(name: "Hummingbird", package: "hummingbird", condition: withAllPrograms),
                .product(
                    name: "HummingbirdCore", package: "hummingbird", condition: withAllPrograms),
                .product(name: "NIOCore", package: "swift-nio", condition: withAllPrograms),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: withAllPrograms),
                .product(name: "NIOPosix", package: "swift-nio", condition: withAllPrograms),
                .product(
                    name: "NIOExtras", package: "swift-nio-extras", condition: withAllPrograms),
                .product(
                    name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras",
                    condition: withAllPrograms),
            ],
            // Stands in the program as text: Scripts/embed-api.
            exclude: ["API/openapi.json"],
            swiftSettings: settings
        ),
        // The common parts of all programs' commands: options, output, the terminal, exit codes.
        .target(
            name: "HeadroomCommandLine",
            dependencies: [
                "HeadroomConfiguration",
                .product(name: "HeadroomEngine", package: "Headroom"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        // Depends on no server, database or cryptography. Scripts/check and a test of the built program check it.
        .target(
            name: "HeadroomCommands",
            dependencies: [
                "HeadroomCommandLine", "HeadroomConfiguration", "HeadroomServiceModel",
                .product(name: "HeadroomEngine", package: "Headroom"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "HeadroomDaemonCommands",
            dependencies: [
                "HeadroomCommandLine", "HeadroomConfiguration", "HeadroomDashboard",
                "HeadroomService", "HeadroomServiceModel",
                .product(name: "Headroom", package: "Headroom"),
                .product(name: "HeadroomEngine", package: "Headroom"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "Logging", package: "swift-log", condition: withAllPrograms),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "HeadroomProtectCommands",
            dependencies: [
                "HeadroomCommandLine",
                .product(name: "HeadroomEngine", package: "Headroom"),
                .product(name: "HeadroomProtection", package: "Headroom"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "HeadroomMain",
            dependencies: ["HeadroomCommands"],
            path: "Sources/headroom",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "HeadroomDaemonMain",
            dependencies: ["HeadroomDaemonCommands"],
            path: "Sources/headroomd",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "HeadroomProtectMain",
            dependencies: ["HeadroomProtectCommands"],
            path: "Sources/headroom-protect",
            swiftSettings: settings
        ),
        // Here, since the parsers are no public interface. Apart from what serves, which takes long to build.
        .target(
            name: "HeadroomServiceFuzzTargets",
            dependencies: [
                "HeadroomConfiguration", "HeadroomRequests",
                .product(name: "HeadroomEngine", package: "Headroom"),
                .product(name: "HeadroomFuzzTargets", package: "Headroom"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "FuzzTargets",
            swiftSettings: settings
        ),
        .testTarget(
            name: "HeadroomConfigurationTests",
            dependencies: [
                .product(name: "HeadroomPromises", package: "Headroom"),
                "HeadroomConfiguration",
                .product(name: "HeadroomEngine", package: "Headroom"),
                .product(name: "HeadroomTestSupport", package: "Headroom"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            exclude: ["Broken"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HeadroomRequestsTests",
            dependencies: [
                "HeadroomRequests",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HeadroomServiceTests",
            dependencies: [
                .product(name: "HeadroomPromises", package: "Headroom"),
                "HeadroomConfiguration", "HeadroomService", "HeadroomDashboard",
                "HeadroomRequests",
                .product(name: "HeadroomEngine", package: "Headroom"),
                .product(name: "HeadroomProtection", package: "Headroom"),
                .product(name: "HeadroomTestSupport", package: "Headroom"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "Logging", package: "swift-log", condition: withAllPrograms),
                .product(name: "GRDB", package: "GRDB.swift", condition: withAllPrograms),
                .product(name: "Hummingbird", package: "hummingbird", condition: withAllPrograms),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HeadroomCommandLineTests",
            dependencies: [
                .product(name: "HeadroomPromises", package: "Headroom"),
                "HeadroomCommandLine",
                .product(name: "HeadroomEngine", package: "Headroom"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HeadroomCommandsTests",
            dependencies: [
                .product(name: "HeadroomPromises", package: "Headroom"),
                "HeadroomCommandLine", "HeadroomCommands",
                .product(name: "HeadroomEngine", package: "Headroom"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HeadroomDaemonCommandsTests",
            dependencies: [
                .product(name: "HeadroomPromises", package: "Headroom"),
                "HeadroomDaemonCommands",
                .product(name: "HeadroomEngine", package: "Headroom"),
                .product(name: "HeadroomTestSupport", package: "Headroom"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "Logging", package: "swift-log", condition: withAllPrograms),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                .product(name: "HeadroomPromises", package: "Headroom"),
                "HeadroomConfiguration", "HeadroomDaemonMain", "HeadroomMain",
                "HeadroomProtectMain",
                "HeadroomService",
                .product(name: "Headroom", package: "Headroom"),
                .product(name: "HeadroomEngine", package: "Headroom"),
                .product(name: "HeadroomTestSupport", package: "Headroom"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings
        ),
    ]
)
