//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomPromises
import Testing

/// R40: what Apple's app review reads of the library.
@Suite("R40: privacy manifest")
struct PrivacyManifestTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private let manifest: [String: Any]

    init() throws {
        let place = Self.root.appendingPathComponent(
            "Sources/HeadroomPlatform/PrivacyInfo.xcprivacy")
        let list = unsafe try PropertyListSerialization.propertyList(
            from: Data(contentsOf: place), format: nil)
        manifest = try #require(list as? [String: Any])
    }

    @Test func tracksNobodyAndCollectsNothing() throws {
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        #expect((manifest["NSPrivacyTrackingDomains"] as? [Any])?.isEmpty == true)
        #expect((manifest["NSPrivacyCollectedDataTypes"] as? [Any])?.isEmpty == true)
        #expect(manifest.count == 4)
    }

    @Test(.tags(.r40d)) func givesAReasonForEachKindOfCall() throws {
        let types = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        var reasons: [String: [String]] = [:]
        for type in types {
            #expect(type.count == 2)
            let name = try #require(type["NSPrivacyAccessedAPIType"] as? String)
            reasons[name] = type["NSPrivacyAccessedAPITypeReasons"] as? [String]
        }
        #expect(types.count == reasons.count)
        #expect(
            reasons == [
                "NSPrivacyAccessedAPICategoryDiskSpace": ["E174.1"],
                "NSPrivacyAccessedAPICategoryFileTimestamp": ["C617.1", "0A2A.1"],
            ])
    }

    /// The other kinds that need a reason: what the manifest does not name is not called.
    @Test(.tags(.r40d)) func callsNothingElseThatNeedsAReason() throws {
        let names = ["UserDefaults", "systemUptime", "mach_absolute_time", "activeInputModes"]
        let sources = Self.root.appendingPathComponent("Sources").resolvingSymlinksInPath()
        let files = try #require(
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var count = 0
        var found: [String] = []
        while let file = files.nextObject() as? URL {
            guard file.pathExtension == "swift" || file.pathExtension == "h" else { continue }
            count += 1
            let text = try Data(contentsOf: file)
            for name in names where text.range(of: Data(name.utf8)) != nil {
                found.append("\(name) in \(file.lastPathComponent)")
            }
        }
        #expect(count > 400)
        #expect(found == [])
    }

    /// A package that is built on Linux has no resources: its clients would pay for them.
    @Test func isNoResourceOnLinux() throws {
        let text = try String(
            contentsOf: Self.root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let resources = text.components(separatedBy: "resources:").count - 1
        #expect(resources == 1)
        #expect(text.contains("let privacyManifest: [Resource] = []"))
    }
}
