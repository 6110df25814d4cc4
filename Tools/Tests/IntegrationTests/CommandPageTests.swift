//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// R37: what is made from the commands for shells and readers has all of them.
@Suite("R37: completions and manual pages", .blocks)
struct CommandPageTests {
    @Test(.tags(.r37i), arguments: ["bash", "zsh", "fish"])
    func completionsKnowEveryCommand(shell: String) throws {
        let result = try Program.run(["--generate-completion-script", shell])
        try #require(result.succeeded)
        // Each has a function of its own, or in fish the words before its options; a word alone would be found in
        // what others say.
        for (name, _) in try AllCommands.list() {
            let function = "_headroom_\(name.replacing(" ", with: "_"))()"
            let own = shell == "fish" ? "\"headroom \(name)\"" : function
            #expect(result.output.contains(own), "\(name)")
        }
        guard Privilege.has(program: shell) else { return }
        let base = try TemporaryDirectory(on: .memory)
        try base.tree.file("script", text: result.output)
        let reading = try ChildProcess.run(shell, ["-n", base.path.appending("script").string])
        #expect(reading.succeeded, "\(reading)")
    }

    @Test(.tags(.r37i), .enabled(if: Privilege.has(program: "python3"), "needs python3"))
    func eachCommandHasItsPage() throws {
        let base = try TemporaryDirectory(on: .memory)
        // The sources of this test are three directories below the root.
        let root = FilePath(#filePath).removingLastComponent().removingLastComponent()
            .removingLastComponent().removingLastComponent()
        let result = try ChildProcess.run(
            root.appending("Scripts/make-man").string, [Program.path, base.path.string])
        try #require(result.succeeded, "\(result)")
        func page(_ name: String) throws -> String {
            // A hyphen that is not to be broken at.
            String(decoding: try base.tree.contents(of: TreePath(name)), as: UTF8.self)
                .replacing("\\-", with: "-")
        }
        let main = try page("headroom.1")
        for (name, command) in try AllCommands.list() {
            let first = name.prefix { $0 != " " }
            #expect(main.contains(first), "\(name)")
            let own = try page("headroom-\(first).1")
            // `.Fl` writes the first of the hyphens; a letter alone would be found anywhere. What all of them
            // have is told once.
            for option in (command.arguments ?? []).flatMap({ $0.names ?? [] })
            where option.name.count > 1 && !["help", "version"].contains(option.name) {
                #expect(own.contains("Fl -\(option.name)"), "\(name): \(option.name)")
            }
        }
    }
}
