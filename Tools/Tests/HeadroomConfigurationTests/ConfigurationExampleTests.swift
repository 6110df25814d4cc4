//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// The files under `Packaging/configuration` and what `Documentation/configuration.md` says.
struct ConfigurationExampleTests {
    let directory: ConfigurationDirectory
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL

    init() throws {
        directory = try ConfigurationDirectory()
        for name in ["headroom.yaml", "conf.d/example.yaml"] {
            let file = Self.root.appending(path: "Packaging/configuration/\(name)")
            try directory.write(name, String(contentsOf: file, encoding: .utf8))
        }
    }

    @Test func mainExampleHasTheDefaultsAndNothingElse() throws {
        try directory.tree.remove("headroom/conf.d/example.yaml")
        let loaded = try directory.load()
        #expect(loaded.configuration == ServiceConfiguration())
        let missing = loaded.configuration.settings.map(\.key).filter {
            loaded.location(of: $0) == nil
        }
        // They have no value by themselves, and stand there as comments.
        #expect(
            missing == ["notifications.command", "notifications.webhook", "history.path"])
    }

    @Test func dropInExampleSetsEveryKeyOfAreasVolumesAndModules() throws {
        let loaded = try directory.load()
        #expect(loaded.configuration.areas.count == 1)
        #expect(loaded.configuration.modules.count == 1)
        let missing = loaded.configuration.settings.map(\.key).filter {
            $0.contains("[") && loaded.location(of: $0) == nil
        }
        #expect(missing.isEmpty)
    }

    /// The drop-in's key names are the last words; the documentation has them all with their defaults.
    @Test func documentationHasEveryKey() throws {
        let page = try String(
            contentsOf: Self.root.appending(path: "Documentation/configuration.md"),
            encoding: .utf8)
        for setting in try directory.load().configuration.settings {
            let key = setting.key.replacing(#/\["[^"]*"\]/#, with: "[]")
            #expect(
                page.contains("| `\(key)` |"), "\(key) is not in Documentation/configuration.md")
        }
        for setting in ServiceConfiguration().settings {
            let row = page.split(separator: "\n").first { $0.hasPrefix("| `\(setting.key)` |") }
            #expect(row?.contains("| `\(setting.value)` |") == true, "default of \(setting.key)")
        }
    }
}
