//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomTestSupport

/// The real binary, as it was built with these tests.
enum Program {
    /// The path of `headroom`, beside the test bundle.
    static var path: String {
        let bundle = CommandLine.arguments.first ?? ""
        let directory = bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return (directory + ["headroom"]).joined(separator: "/")
    }

    /// Runs it to its end, as in a pipe.
    static func run(
        _ arguments: [String], environment: [String: String?] = [:]
    ) throws -> ChildResult {
        try ChildProcess.run(path, arguments, environment: environment)
    }
}
