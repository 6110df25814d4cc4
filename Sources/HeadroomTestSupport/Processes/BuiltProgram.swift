//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Programs that the package manager builds beside the tests.
public enum BuiltProgram {
    /// The path of a program.
    ///
    /// - Returns: nil if it was not built.
    public static func path(_ name: String) -> String? {
        let directory = FilePath(CommandLine.arguments[0]).removingLastComponent()
        for candidate in [directory, FilePath("\(directory)/../..")] {
            let path = candidate.appending(name).string
            if unsafe access(path, X_OK) == 0 { return path }
        }
        return nil
    }
}
