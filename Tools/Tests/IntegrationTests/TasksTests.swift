//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("R30: the command tasks", .blocks)
struct TasksTests {
    private let home: Home
    private var container: String { home.path.appending("App").string }
    private var file: String { home.path.appending("tasks.plist").string }

    init() throws {
        home = try Home(on: .disk)
        for name in ["Documents", "Library/Caches/Maps", "Library/Caches/Old", "tmp"] {
            let directory = "home/App" / TreePath(name)
            try home.tree.file(
                directory / "a", contents: [UInt8](repeating: 7, count: 40_000))
        }
    }

    private func write(_ tasks: String) throws {
        try home.tree.file(
            "home/tasks.plist", text: "<plist version=\"1.0\"><array>\(tasks)</array></plist>")
    }

    private func remove(_ path: String, _ more: String = "") -> String {
        "<dict><key>Path</key><string>\(path)</string>\(more)</dict>"
    }

    private func run(_ arguments: String...) throws -> ChildResult {
        try home.run(["tasks"] + arguments + ["--container", container])
    }

    @Test(.tags(.r37b)) func removesWhatTheTasksName() throws {
        try write(
            remove("Library/Caches/Maps")
                + remove(
                    "Library/Caches", "<key>Entries</key><array><string>O*</string></array>"))
        let preview = try run(file, "--dry-run")
        #expect(preview.exitCode == 0 && preview.output.contains("2 items"), "\(preview)")
        #expect(home.exists("App/Library/Caches/Old/a"))
        let asked = try run(file)
        #expect(asked.exitCode == 1 && asked.errors.contains("--yes"))
        let result = try run(file, "--yes")
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.output.contains("Freed 8"), "\(result.output)")
        #expect(home.exists("App/Library/Caches/Maps"))
        #expect(!home.exists("App/Library/Caches/Maps/a"))
        #expect(!home.exists("App/Library/Caches/Old"))
        #expect(home.exists("App/Documents/a") && home.exists("App/tmp/a"))
        #expect(result.output.contains("headroom log --receipt"))
    }

    @Test func aWrongTaskIsNamedAndTheOthersRun() throws {
        try write(
            remove("../tasks.plist") + remove("Documents/a") + remove("Library/Caches/Maps/a")
                + "<dict><key>Class</key><string>X</string><key>Selectors</key><array>"
                + "<string>y</string></array></dict>")
        let check = try run("check", file)
        #expect(check.exitCode == 4, "\(check)")
        #expect(check.output.contains("2 tasks of 4"), "\(check.output)")
        let result = try run(file, "--yes", "--json")
        #expect(result.exitCode == 4)
        #expect(result.json("schema") == "\"headroom.tasks/1\"")
        #expect(
            result.values("outcome")
                == ["\"refused\"", "\"refused\"", "\"done\"", "\"refused\""], "\(result.output)")
        #expect(!home.exists("App/Library/Caches/Maps/a") && home.exists("App/Documents/a"))
        #expect(home.exists("tasks.plist"))
    }

    @Test func actionsThatTheAppCallsItselfAreNoFault() throws {
        try write(
            remove("Library/Caches/Maps/a")
                + "<dict><key>Class</key><string>X</string><key>Selectors</key><array>"
                + "<string>y</string></array></dict>")
        #expect(try run("check", file).exitCode == 0)
        let result = try run(file, "--yes")
        #expect(result.exitCode == 0 && result.output.contains("called by the app itself"))
        #expect(!home.exists("App/Library/Caches/Maps/a"))
    }

    @Test func whatIsNoListOrNoContainerIsAnError() throws {
        try home.tree.file("home/tasks.plist", text: "<plist><dict/></plist>")
        let list = try run(file, "--yes")
        #expect(list.exitCode == 1 && list.errors.contains("not an array of tasks"))
        try write("")
        let place = try home.run(["tasks", file, "--yes", "--container", home.path.string])
        #expect(place.exitCode == 1 && place.errors.contains("not the container"), "\(place)")
    }
}
