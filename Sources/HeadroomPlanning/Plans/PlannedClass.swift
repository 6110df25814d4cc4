//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore

/// As what something stands in a plan, a receipt or a sum: by its class, or as trash, which is
/// nobody's class but has places of its own in the order (R15).
///
/// There is none for essential (safety invariant S1).
public enum PlannedClass: UInt8, Hashable, Comparable, Sendable, CaseIterable {
    case temporary
    case cache
    /// What a person has thrown away. Expired, it goes before caches; older than 24 hours, after them;
    /// younger, never by itself.
    case trash
    case lastResort

    public init(_ purgeClass: PurgeableClass) {
        switch purgeClass {
        case .temporary: self = .temporary
        case .cache: self = .cache
        case .lastResort: self = .lastResort
        }
    }

    /// The class of a name in JSON.
    public init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }

    /// The name in JSON: `temporary`, `cache`, `trash`, `lastResort`.
    public var name: String {
        switch self {
        case .temporary: "temporary"
        case .cache: "cache"
        case .trash: "trash"
        case .lastResort: "lastResort"
        }
    }

    /// The name within a sentence.
    public var spokenName: String {
        switch self {
        case .temporary: "temporary"
        case .cache: "cache"
        case .trash: "trash"
        case .lastResort: "last resort"
        }
    }

    public static func < (left: PlannedClass, right: PlannedClass) -> Bool {
        left.rawValue < right.rawValue
    }
}
