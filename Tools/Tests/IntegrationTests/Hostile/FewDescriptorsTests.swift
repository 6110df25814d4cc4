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

/// S13: where a process may have few files open, depth costs no more of them than there are.
@Suite(.blocks) struct FewDescriptorsTests {
    private static let depth = 600
    private let home: Home

    init() throws {
        home = try Home()
        var place: TreePath = "home/.cache/deep"
        // With neighbours on each level, an older and a younger one: what is entered last of a directory closes it, and
        // that must not be the way down, in whichever order they are listed.
        for _ in 0..<Self.depth {
            try home.tree.file(place / "a/file", size: .kilobytes(1))
            try home.tree.directory(place / "d")
            try home.tree.directory(place / "z")
            place = place / "d"
        }
    }

    private func run(_ arguments: String...) throws -> ChildResult {
        try ChildProcess.run(
            "sh",
            ["-c", "ulimit -n 64; exec \"$0\" \"$@\"", Program.path]
                + Home.ignoringIdleTimes(arguments),
            environment: home.environment)
    }

    @Test(.tags(.s13b)) func aDeepTreeIsScannedToItsEnd() throws {
        let result = try run("scan", home.path.appending(".cache/deep").string, "--json")
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(result.json("files") == "\(Self.depth)")
        #expect(result.json("errors") == "0")
    }

    @Test(.tags(.s13b)) func aDeepTreeIsPurgedToItsEnd() throws {
        let result = try run("purge", "--all", "--yes")
        #expect(result.exitCode == 0, "\(result.output) \(result.errors)")
        #expect(try home.tree.names(in: "home/.cache") == [])
    }
}
