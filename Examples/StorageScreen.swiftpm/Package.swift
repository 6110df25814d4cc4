// swift-tools-version: 6.2

// Opens in Xcode as an app: `open Examples/StorageScreen.swiftpm`. It is not built on Linux, where there is no
// AppleProductTypes; Scripts/check-apple type-checks its sources.

import AppleProductTypes
import PackageDescription

let package = Package(
    name: "StorageScreen",
    platforms: [.iOS(.v18)],
    products: [
        .iOSApplication(
            name: "StorageScreen",
            targets: ["StorageScreen"],
            bundleIdentifier: "org.example.headroom.StorageScreen",
            displayVersion: "1.0",
            bundleVersion: "1",
            supportedDeviceFamilies: [.pad, .phone],
            supportedInterfaceOrientations: [.portrait, .landscapeLeft, .landscapeRight],
            // The background task and its mode.
            additionalInfoPlistContentFilePath: "Info.plist"
        )
    ],
    dependencies: [
        .package(name: "Headroom", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "StorageScreen",
            dependencies: [
                .product(name: "Headroom", package: "Headroom"),
                .product(name: "HeadroomApple", package: "Headroom"),
                .product(name: "HeadroomDownloads", package: "Headroom"),
            ],
            path: "Sources"
        )
    ]
)
