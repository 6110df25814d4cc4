//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ArgumentParser

/// How the program ends; documented, and never changed.
public enum ExitStatus: Int32, Hashable, Sendable {
    /// Done.
    case done = 0
    /// Failed; a message says why.
    case failed = 1
    /// The arguments are wrong.
    case usage = 2
    /// Done as far as possible, which was not enough.
    case targetNotReached = 3
    /// Done but for some parts, which are named.
    case partly = 4
    /// Stopped by a signal.
    case interrupted = 130

    /// The value that ends a command of the argument parser.
    public var code: ExitCode { ExitCode(rawValue) }
}
