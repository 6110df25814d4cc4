//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a file is worth when space is short; the order is the order in which things may go.
public enum PurgeClass: UInt8, Hashable, Comparable, Sendable, CaseIterable {
    /// May go at any time.
    case temporary
    /// Can be made or fetched again.
    case cache
    /// Can be made or fetched again at a price: goes only when nothing else is left.
    case lastResort
    /// Never goes.
    case essential

    public static func < (left: PurgeClass, right: PurgeClass) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The name in JSON, marks and messages: `temporary`, `cache`, `lastResort`, `essential`.
    public var name: String {
        switch self {
        case .temporary: "temporary"
        case .cache: "cache"
        case .lastResort: "lastResort"
        case .essential: "essential"
        }
    }

    /// The class of a name; also accepts `last-resort`, as on the command line.
    public init?(name: String) {
        switch name {
        case "temporary": self = .temporary
        case "cache": self = .cache
        case "lastResort", "last-resort": self = .lastResort
        case "essential": self = .essential
        default: return nil
        }
    }
}

/// A class of which something may be purged.
///
/// Everything that enters a plan carries one, and there is none for essential: an essential item
/// cannot be planned because the value cannot be made (safety invariant S1).
public enum PurgeableClass: UInt8, Hashable, Comparable, Sendable, CaseIterable {
    case temporary
    case cache
    case lastResort

    /// - Returns: nil for ``PurgeClass/essential``.
    public init?(_ purgeClass: PurgeClass) {
        switch purgeClass {
        case .temporary: self = .temporary
        case .cache: self = .cache
        case .lastResort: self = .lastResort
        // mutation: s1a-1
        case .essential: return nil
        }
    }

    public var purgeClass: PurgeClass {
        switch self {
        case .temporary: .temporary
        case .cache: .cache
        case .lastResort: .lastResort
        }
    }

    public static func < (left: PurgeableClass, right: PurgeableClass) -> Bool {
        left.rawValue < right.rawValue
    }
}
