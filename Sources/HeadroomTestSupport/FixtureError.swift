//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import SystemPackage

/// Why a fixture could not be made: which call, on what, with which error.
public struct FixtureError: Error, CustomStringConvertible {
    /// What was tried, such as `mkdirat`, or a command.
    public let call: String
    /// What it was tried on.
    public let subject: String
    /// The error number, where a system call failed.
    public let errno: Errno?
    /// What a command wrote to its standard error.
    public let details: String

    public init(_ call: String, on subject: String, errno: Errno? = nil, details: String = "") {
        self.call = call
        self.subject = subject
        self.errno = errno
        self.details = details
    }

    public var description: String {
        var text = "\(call) failed on \(subject)"
        if let errno { text += ": \(errno)" }
        if !details.isEmpty { text += ": \(details)" }
        return text
    }
}
