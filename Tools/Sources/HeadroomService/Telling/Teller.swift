//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine

/// A way to tell people.
public protocol Teller: Sendable {
    /// What it is, for the log: `command`, `webhook`.
    var name: String { get }

    /// Tells one notice, within a time of its own.
    ///
    /// - Throws: why it could not, with what to do.
    func tell(_ notice: Notice) async throws(HeadroomError)
}
