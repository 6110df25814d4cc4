//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform
import SystemPackage

/// What changed from one plan to another.
public struct PlanDifference: Hashable, Sendable {
    /// Entries of the new plan only, in its order.
    public var added: [PlanEntry] = []
    /// Entries of the old plan only, in its order.
    public var removed: [PlanEntry] = []
    /// Entries of both that are not the same, in the order of the new plan.
    public var changed: [Change] = []
    /// What the new plan frees more than the old one; negative if less.
    public var frees: ByteCount = .zero

    /// One path of both plans.
    public struct Change: Hashable, Sendable {
        public var old: PlanEntry
        public var new: PlanEntry
        /// What differs, each with a sentence: `class`, `unit`, `bytes`, `last-use`, `reason`.
        public var reasons: [Reason]
    }

    public var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }

    /// Compares two plans, fresh or saved, by path.
    ///
    /// - Complexity: O(entries of both).
    public init(from old: Plan, to new: Plan) {
        var before: [Key: PlanEntry] = [:]
        for entry in old { before[Key(entry)] = entry }
        var common: Set<Key> = []
        for entry in new {
            guard let earlier = before[Key(entry)] else {
                added.append(entry)
                continue
            }
            common.insert(Key(entry))
            let reasons = Self.differences(earlier, entry)
            if !reasons.isEmpty {
                changed.append(Change(old: earlier, new: entry, reasons: reasons))
            }
        }
        removed = old.filter { !common.contains(Key($0)) }
        frees = new.frees - old.frees
    }

    /// What stands for the same in both: of a cache store, the values of one class.
    private struct Key: Hashable {
        let path: FilePath
        let purgeClass: PlannedClass?

        init(_ entry: PlanEntry) {
            path = entry.path
            purgeClass = entry.unit == .cacheValues ? entry.purgeClass : nil
        }
    }

    private static func differences(_ old: PlanEntry, _ new: PlanEntry) -> [Reason] {
        var reasons: [Reason] = []
        if old.purgeClass != new.purgeClass {
            reasons.append(
                Reason(
                    .differsInClass,
                    "was \(old.purgeClass.spokenName), is \(new.purgeClass.spokenName)"))
        }
        if old.unit != new.unit || old.sidecars != new.sidecars {
            reasons.append(Reason(.differsInUnit, "consists of other files"))
        }
        if old.bytes != new.bytes {
            reasons.append(Reason(.differsInBytes, "frees \(new.bytes) instead of \(old.bytes)"))
        }
        if old.lastUse != new.lastUse {
            reasons.append(
                Reason(
                    .differsInLastUse,
                    old.lastUse < new.lastUse ? "was used since" : "was used earlier than thought"))
        }
        // Its sentence has an age in it, which differs with every minute.
        if old.reason.code != new.reason.code {
            reasons.append(Reason(.differsInReason, "\(old.reason.text); now \(new.reason.text)"))
        }
        return reasons
    }
}

extension Reason.Code {
    // MARK: Why an entry differs between two plans

    public static let differsInClass = Reason.Code("class")
    public static let differsInUnit = Reason.Code("unit")
    public static let differsInBytes = Reason.Code("bytes")
    public static let differsInLastUse = Reason.Code("last-use")
    public static let differsInReason = Reason.Code("reason")
}
