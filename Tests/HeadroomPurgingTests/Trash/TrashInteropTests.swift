//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// With the programs that people have: what one throws away the other finds and brings back.
@Suite("R33: trash of other programs")
struct TrashInteropTests {
    private let fixture: TrashFixture

    init() throws {
        fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/a b%ü.txt", text: "content")
    }

    private var file: FilePath { fixture.path("Documents/a b%ü.txt") }

    private func run(_ program: String, _ arguments: [String], input: String = "") throws
        -> ChildResult
    {
        let command = ([program] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let result = try ChildProcess.run(
            "sh", ["-c", "cd '\(fixture.home)' && printf '\(input)' | \(command)"],
            environment: [
                "HOME": fixture.home.string, "XDG_DATA_HOME": nil, "LC_ALL": "C.UTF-8",
                "PYTHONIOENCODING": "utf-8", "LANG": "C.UTF-8", "DBUS_SESSION_BUS_ADDRESS": nil,
            ])
        #expect(result.exitCode == 0, "\(command): \(result.output) \(result.errors)")
        return result
    }

    @Test(.tags(.r33c), .enabled(if: Privilege.has(program: "trash-put"), "needs trash-cli"))
    func trashCLIFindsAndRestoresOurs() throws {
        fixture.put("Documents/a b%ü.txt")
        #expect(!fixture.exists("Documents/a b%ü.txt"))
        #expect(try run("trash-list", []).output.contains(file.string))
        _ = try run("trash-restore", [], input: "0\\n")
        #expect(try fixture.tree.contents(of: "home/Documents/a b%ü.txt") == Array("content".utf8))
        #expect(fixture.workspace().trash.list().items.isEmpty)
    }

    @Test(.enabled(if: Privilege.has(program: "trash-put"), "needs trash-cli"))
    func weFindAndRestoreThoseOfTrashCLI() throws {
        _ = try run("trash-put", [file.string])
        let trash = fixture.workspace().trash
        let item = try #require(trash.list().items.first)
        #expect(item.originalPath == file)
        let age = fixture.workspace().clock().duration(since: item.deleted)
        #expect(age > .seconds(-5) && age < .seconds(300), "local time is read as such")
        try trash.restore(item)
        #expect(fixture.exists("Documents/a b%ü.txt"))
        #expect(try run("trash-list", []).output == "")
    }

    @Test(.enabled(if: Privilege.has(program: "trash-put"), "needs trash-cli"))
    func trashCLIEmptiesOurs() throws {
        fixture.put("Documents/a b%ü.txt")
        _ = try run("trash-empty", [])
        #expect(fixture.workspace().trash.list().items.isEmpty)
        #expect(try fixture.tree.names(in: fixture.trash / "info").isEmpty)
    }

    @Test(.tags(.r33c), .enabled(if: Privilege.has(program: "gio"), "needs gio"))
    func weFindAndRestoreThoseOfGIO() throws {
        _ = try run("gio", ["trash", file.string])
        let trash = fixture.workspace().trash
        let item = try #require(trash.list().items.first)
        #expect(item.originalPath == file)
        try trash.restore(item)
        #expect(fixture.exists("Documents/a b%ü.txt"))
    }
}
