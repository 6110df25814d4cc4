//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// What a user's configuration declares as essential, when something is purged by hand. As another user: root's
/// configuration is the machine's.
@Suite(
    "S11: what the configuration declares as essential",
    .enabled(if: Privilege.isRoot, "only root can become another user"), .blocks)
struct DeclarationTests {
    private let home: Home
    private let configuration: TreePath = "home/.config/headroom/headroom.yaml"

    init() throws {
        home = try Home()
        try home.cache("models/model", age: .seconds(90 * 86_400))
        try home.cache("tool/file", age: .seconds(90 * 86_400))
    }

    private func declare(_ text: String) throws {
        try home.tree.file(configuration, text: text)
        let owned = try ChildProcess.run(
            "chown", ["-R", "65534:65534", home.directory.path.string])
        try #require(owned.succeeded, "\(owned)")
    }

    private func run(_ arguments: String..., program: String = Program.path) throws -> ChildResult {
        try ChildProcess.run(
            "setpriv",
            ["--reuid", "65534", "--regid", "65534", "--clear-groups", program] + arguments,
            environment: home.environment)
    }

    /// A copy of `headroom` with the daemon beside it. Other users can't look for the daemon in a build below `/root`.
    private func readableProgram() throws -> String {
        try home.tree.directory("bin")
        let copy = home.directory.path.appending("bin").string
        let copied = try ChildProcess.run("cp", [Program.path, Program.path + "d", copy])
        try #require(copied.succeeded, "\(copied)")
        return copy + "/headroom"
    }

    private var models: String {
        "areas:\n  - path: ~/.cache/models\n    class: essential\n"
    }

    @Test(
        .tags(.s11i),
        arguments: [
            ["purge", "--all", "--min-idle", "0s", "--yes"],
            ["clean", "--section", "caches", "--min-idle", "0s", "--yes"],
            ["room", "--at", ".", "999PB", "--yes"],
        ])
    func staysWhatIsPurgedByHand(command: [String]) throws {
        try declare(models)
        var arguments = command
        if let place = arguments.firstIndex(of: ".") { arguments[place] = home.path.string }
        let result = try ChildProcess.run(
            "setpriv",
            ["--reuid", "65534", "--regid", "65534", "--clear-groups", Program.path] + arguments,
            environment: home.environment)
        #expect(home.exists(".cache/models/model"), "\(result)")
        if command[0] == "purge" {
            #expect(result.exitCode == 0, "\(result)")
            #expect(!home.exists(".cache/tool/file"))
        }
        let explained = try run("explain", home.path.appending(".cache/models/model").string)
        #expect(explained.output.contains("essential"), "\(explained)")
    }

    @Test(
        "explain, plan and purge use the areas that the configuration declares for the daemon",
        .tags(.s11i, .r18b))
    func usesDeclaredAreas() throws {
        try home.tree.file("out/file", size: .kilobytes(8))
        try home.tree.age("out/file", by: .seconds(90 * 86_400))
        let out = home.directory.path.appending("out")
        try declare("mode: observe\nareas:\n  - path: \(out)\n    class: temporary\n")
        let file = out.appending("file").string
        let explained = try run("explain", file)
        #expect(explained.output.contains("temporary"), "\(explained)")
        #expect(explained.output.contains("purges nothing by itself (mode: observe)"))
        let plan = try run("plan", "--all", "--min-idle", "0s", "--json")
        #expect(plan.output.contains(file), "\(plan)")
        // The daemon sees the declaration for the first time.
        let sweep = try run("sweep", program: readableProgram())
        #expect(sweep.exitCode == 0, "\(sweep)")
        let waiting = try run("explain", file, "--json")
        #expect(waiting.output.contains("\"grace-period\""), "\(waiting)")
        let purge = try run("purge", "--all", "--min-idle", "0s", "--yes")
        #expect(purge.errors.contains("grace period"), "\(purge)")
        #expect(!home.tree.exists("out/file"))
    }

    @Test func staysWhereWhatIsRegisteredAroundItIsEmptied() throws {
        for name in ["models/model", "file"] as [TreePath] {
            try home.tree.file("home/work/\(name)", size: .kilobytes(8))
        }
        try declare("areas:\n  - path: ~/work/models\n    class: essential\n")
        let work = home.path.appending("work").string
        #expect(try run("dir", "add", work, "--retention", "30d").exitCode == 0)
        let reset = try run("dir", "reset", work, "--yes")
        #expect(home.exists("work/models/model"), "\(reset)")
        #expect(!home.exists("work/file"), "\(reset)")
    }

    /// Nobody knows what it would have protected.
    @Test(.tags(.s11i)) func nothingGoesWhereItHasErrors() throws {
        try declare(models + "mode: eat\n")
        let before = try home.listing()
        let purge = try run("purge", "--all", "--yes")
        #expect(purge.exitCode == 1)
        #expect(purge.errors.contains("headroom.yaml:4"), "\(purge.errors)")
        #expect(purge.errors.contains("headroom config check"))
        #expect(try home.listing() == before)
        let plan = try run("plan", "--all")
        #expect(plan.exitCode == 0)
        #expect(plan.errors.contains("are not known"), "\(plan.errors)")
    }
}
