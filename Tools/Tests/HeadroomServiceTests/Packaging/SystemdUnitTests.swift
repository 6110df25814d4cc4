//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// The units under `Packaging/systemd`, read by systemd itself.
@Suite(.enabled(if: Privilege.has(program: "systemd-analyze"), "needs systemd-analyze"))
struct SystemdUnitTests {
    let directory: TemporaryDirectory
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../Packaging/systemd").standardizedFileURL

    init() throws { directory = try TemporaryDirectory(on: .memory) }

    /// Copies the units of a kind, with a program that is there.
    private func units(_ kind: String) throws -> [String] {
        let folder = Self.folder.appending(path: kind)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        try #require(names.count == 4)
        for name in names {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            try directory.tree.file(
                TreePath(name), text: text.replacing("/usr/bin/headroomd", with: "/bin/true"))
        }
        return names.map { directory.path.appending($0).string }
    }

    @Test(.tags(.r27a), arguments: ["system", "user"])
    func systemdFindsNothingWrong(_ kind: String) throws {
        let result = try ChildProcess.run(
            "systemd-analyze", ["--\(kind)", "verify", "--man=no"] + (try units(kind)),
            environment: ["XDG_RUNTIME_DIR": directory.path.string])
        #expect(result.exitCode == 0)
        // Keys that it does not know are warnings only.
        let said = result.errors.split(separator: "\n").filter { $0.contains("headroom") }
        #expect(said.isEmpty, "\(said)")
    }

    /// What stands in their place for systemd to read is not what they start.
    @Test(.tags(.r27a), arguments: ["system", "user"])
    func startTheService(_ kind: String) throws {
        for (name, command) in [("headroom", "serve"), ("headroom-sweep", "sweep")] {
            let unit = Self.folder.appending(path: "\(kind)/\(name).service")
            let starts = try String(contentsOf: unit, encoding: .utf8).split(separator: "\n")
                .filter { $0.hasPrefix("ExecStart=") }
            #expect(starts == ["ExecStart=/usr/bin/headroomd \(command)"], "\(kind) \(name)")
        }
    }

    /// `Documentation/systemd.md` has the figures of version 252; others weigh a little differently.
    @Test(arguments: [
        ("system", "headroom.service", 40), ("system", "headroom-sweep.service", 40),
        ("user", "headroom.service", 70),
    ])
    func isExposedNoMoreThanStated(_ kind: String, _ name: String, _ most: Int) throws {
        _ = try units(kind)
        let result = try ChildProcess.run(
            "systemd-analyze",
            [
                "security", "--offline=true", "--threshold=\(most)",
                directory.path.appending(name).string,
            ])
        #expect(result.exitCode == 0, "\(result.output.suffix(200))")
    }

    @Test func restrictsTheMachinesServicesAlike() throws {
        func restrictions(_ name: String) throws -> Set<String> {
            let text = try String(
                contentsOf: Self.folder.appending(path: "system/" + name), encoding: .utf8)
            return Set(
                text.split(separator: "\n").map(String.init).filter {
                    $0.hasPrefix("Protect") || $0.hasPrefix("Restrict") || $0.hasPrefix("NoNew")
                })
        }
        let service = try restrictions("headroom.service")
        #expect(service.count >= 10)
        #expect(try restrictions("headroom-sweep.service") == service)
    }
}
