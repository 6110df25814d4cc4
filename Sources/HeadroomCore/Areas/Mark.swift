//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A person's or a program's word on one file or directory; on a directory it holds for all below.
///
/// The nearest mark wins, part by part: a file that is only `pinned` inside a directory marked
/// `lastResort` is pinned and last resort.
public struct Mark: Hashable, Sendable {
    /// The class it is to be treated as; nil: as its area says. Never essential: see ``isPinned``.
    public var purgeClass: PurgeableClass?
    /// Exempt from every purge until unpinned. `false` on a nearer mark lifts an inherited pin.
    public var isPinned: Bool?
    /// 0…100; nil: as inherited.
    public var importance: UInt8?
    /// Left out of backups.
    public var isExcludedFromBackup: Bool?
    /// The class of the directory around it does not hold for it: see ``HeldMark``. Never stored.
    var withholdsClass = false

    public init(
        purgeClass: PurgeableClass? = nil, isPinned: Bool? = nil, importance: UInt8? = nil,
        isExcludedFromBackup: Bool? = nil
    ) {
        self.purgeClass = purgeClass
        self.isPinned = isPinned
        self.importance = importance
        self.isExcludedFromBackup = isExcludedFromBackup
    }

    public static let none = Mark()

    /// Whether its class leaves it out of backups, because it can be regenerated or downloaded again. A
    /// backup setting in the mark itself takes precedence.
    var isExcludedByClass: Bool { purgeClass != nil && isExcludedFromBackup == nil }

    /// Includes it in backups again, even if its class would leave it out.
    public mutating func includeInBackup() {
        isExcludedFromBackup = purgeClass == nil ? nil : false
    }

    /// Whether it says nothing.
    public var isEmpty: Bool { self == .none }

    /// This mark, with what it leaves open taken from `outer`, the mark of the directory around.
    public func inheriting(_ outer: Mark) -> Mark {
        Mark(
            purgeClass: purgeClass ?? (withholdsClass ? nil : outer.purgeClass),
            isPinned: isPinned ?? outer.isPinned,
            importance: importance ?? outer.importance,
            isExcludedFromBackup: isExcludedFromBackup ?? outer.isExcludedFromBackup)
    }
}
