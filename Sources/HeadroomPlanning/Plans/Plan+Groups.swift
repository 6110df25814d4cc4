//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform

/// The entries of a plan by class and reason: for people, who decide about many at once.
public struct PlanGroups: Sendable {
    /// Entries of one class that go for the same reason.
    public struct Group: Hashable, Sendable {
        public var purgeClass: PlannedClass
        public var code: Reason.Code
        public var bytes = ByteCount.zero
        public var items = 0
    }

    /// In the order in which their first entries go.
    public private(set) var groups: [Group] = []
    private var numbers: [UInt8] = []

    /// The number of the group that an entry is in.
    public func number(ofEntry index: Int) -> Int { Int(numbers[index]) }

    fileprivate init(_ plan: Plan) {
        var known: [Key: UInt8] = [:]
        numbers.reserveCapacity(plan.chosen.count)
        for candidate in plan.chosen {
            let key = Key(
                purgeClass: candidate.plannedClass, code: plan.reasonCode(of: candidate))
            let number: UInt8
            if let found = known[key] {
                number = found
            } else {
                // A dozen codes of four classes at the most.
                number = UInt8(clamping: groups.count)
                known[key] = number
                groups.append(Group(purgeClass: key.purgeClass, code: key.code))
            }
            numbers.append(number)
            groups[Int(number)].bytes += plan.bytes(of: candidate)
            groups[Int(number)].items += 1
        }
    }

    private struct Key: Hashable {
        var purgeClass: PlannedClass
        var code: Reason.Code
    }
}

extension Plan {
    /// Groups the entries.
    ///
    /// - Complexity: O(entries); makes no paths.
    public func groups() -> PlanGroups { PlanGroups(self) }

    /// What the volume gains by an entry as part of this plan, without making the entry.
    public func bytes(at index: Int) -> ByteCount { bytes(of: chosen[index]) }

    /// The class of an entry, without making the entry.
    public func purgeClass(at index: Int) -> PlannedClass { chosen[index].plannedClass }
}
