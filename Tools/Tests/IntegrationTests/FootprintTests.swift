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

/// R22: what Headroom itself occupies is in its status.
@Suite("R22: the own footprint", .blocks)
struct FootprintTests {
    private func occupied(_ path: FilePath) throws -> String {
        let output = try ChildProcess.run("du", ["-s", "--block-size=1", path.string]).output
        return output.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    }

    @Test(.tags(.r22f)) func isWhatTheStateDirectoryOccupies() throws {
        let home = try Home(on: .disk)
        let state = home.directory.path.appending("state")
        // Before there is one, nothing can be said.
        #expect(try home.run("status", "--json").json("footprintBytes") ?? "null" == "null")
        try home.cache("a")
        #expect(try home.run("purge", "--all", "--yes").exitCode == 0)
        let first = try occupied(state)
        // The journal alone is a mebibyte.
        #expect(try #require(Int(first)) > 1 << 20)
        #expect(try home.run("status", "--json").json("footprintBytes").map(String.init) == first)
        // Whatever comes to lie there.
        try home.tree.file("state/more/of/it", size: .kilobytes(300))
        let second = try occupied(state)
        #expect(second != first)
        #expect(try home.run("status", "--json").json("footprintBytes").map(String.init) == second)
    }
}
