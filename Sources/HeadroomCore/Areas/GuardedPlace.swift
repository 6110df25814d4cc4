//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import SystemPackage

/// A place that is not anybody's to declare as an area.
public struct GuardedPlace: Hashable, Sendable {
    public var path: FilePath
    public var rule: Rule
    /// What it is, as it stands in a sentence: `your home directory`, `the container's Documents`.
    public var name: String
    /// What lies in it was put there by the system for a person, who may read it and throw it away; nothing in
    /// it may be declared all the same.
    public var isInbox: Bool
    /// A person's own directory, such as Documents: no variable makes anything in it purgeable.
    public var isPersonal: Bool

    /// What may be declared at the place and below it.
    ///
    /// Whatever the rule but ``records``, a directory that contains the place may not be declared either.
    public enum Rule: UInt8, Hashable, Sendable {
        /// The place itself has its role already; directories below it may be declared.
        case itself
        /// The place itself is essential, and so is all below it that bears no mark.
        case essential
        /// Neither the place nor anything below it, marked or not.
        case never
        /// Headroom's own records, keys among them: as ``never``, but what contains them may be declared, and
        /// they stay in it.
        case records

        /// Whether nothing in the place goes, marked or not.
        package var isFinal: Bool { self == .never || self == .records }

        /// Whether a directory that contains the place may not be declared.
        package var holdsWhatContainsIt: Bool { self != .itself && self != .records }
    }

    public init(
        _ path: FilePath, _ rule: Rule, _ name: String, isInbox: Bool = false,
        isPersonal: Bool = false
    ) {
        self.path = path
        self.rule = rule
        self.name = name
        self.isInbox = isInbox
        self.isPersonal = isPersonal
    }
}
