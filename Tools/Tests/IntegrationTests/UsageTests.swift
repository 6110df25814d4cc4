//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomTestSupport
import Testing

struct UsageTests {
    @Test func helpGoesToStandardOutput() throws {
        let result = try Program.run(["--help"])
        #expect(result.exitCode == 0)
        #expect(result.output.contains("USAGE"))
        #expect(result.errors.isEmpty)
    }

    @Test func versionIsOneLine() throws {
        let result = try Program.run(["--version"])
        #expect(result.exitCode == 0)
        #expect(result.output.split(separator: "\n").count == 1)
    }

    @Test(arguments: ["--nonsense", "nonsense"])
    func wrongArgumentsExitWithTwo(argument: String) throws {
        let result = try Program.run([argument])
        #expect(result.exitCode == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("nonsense"))
    }
}
