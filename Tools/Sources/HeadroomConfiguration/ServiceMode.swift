//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// How much the service may do by itself. In every mode a plan that a person has confirmed may be purged.
public enum ServiceMode: String, Hashable, Sendable, CaseIterable {
    /// Plans and logs what would go, and deletes nothing.
    case observe
    /// Plans, tells people, and waits for one of them to confirm.
    case ask
    /// Purges by its policy.
    case act

    /// Whether anything may be deleted that nobody has confirmed.
    public var deletesByItself: Bool { self == .act }
}
