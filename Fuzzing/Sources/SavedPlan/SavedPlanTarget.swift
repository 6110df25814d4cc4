//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// Plans in files: whatever one says, it names nothing outside of its areas, and is written as it was read.
struct SavedPlanTarget: FuzzTarget {
    static let name = "saved-plan"
    /// A byte that is no text becomes three; of longer inputs a text may come to more than may be read.
    private static let mostToWrite = 1 << 14

    func run(_ bytes: [UInt8]) {
        let plan: Plan
        do throws(HeadroomError) {
            plan = try Self.read(bytes, by: max(1, bytes.count))
        } catch {
            require(error.code == .damaged, "refused as \(error.code): \(error)")
            return
        }
        check(plan)
        if bytes.count <= Self.mostToWrite { checkCopy(of: plan) }
    }

    private func check(_ plan: Plan) {
        let roots = plan.inventory.areas.map(\.root)
        for entry in plan {
            require(entry.path.isAbsolute, "a path that is not whole: \(entry.path)")
            require(
                !entry.path.components.contains { $0.kind != .regular },
                "a path that goes upwards: \(entry.path)")
            require(
                roots.contains { entry.path.lies(in: $0) }, "\(entry.path) lies in no area")
            require(entry.bytes >= .zero, "\(entry.path) has \(entry.bytes)")
            // Shown to people.
            _ = "\(entry.reason)"
        }
    }

    /// What a plan says is what is read again of what it writes.
    private func checkCopy(of plan: Plan) {
        // What a forged file says of a store's values need not add up, and is not written then; of sums
        // that have come round likewise.
        guard plan.allSatisfy({ $0.unit != .cacheValues }),
            plan.kept.byReason.values.allSatisfy({ $0.count >= 0 })
        else { return }
        do throws(HeadroomError) {
            var written: [UInt8] = []
            try SavedPlan.write(plan) { written += $0 }
            let copy = try Self.read(written, by: 4_096)
            require(copy.elementsEqual(plan), "the entries are others when they are read again")
            require(
                copy.inventory.areas == plan.inventory.areas && copy.kept == plan.kept
                    && copy.obstacles == plan.obstacles
                    && copy.request.targets == plan.request.targets && copy.frees == plan.frees,
                "the header says something else when it is read again")
        } catch {
            require(false, "a plan that was read is refused as it is written: \(error)")
        }
    }

    private static func read(
        _ bytes: [UInt8], by size: Int
    ) throws(HeadroomError) -> Plan {
        var rest = bytes[...]
        return try SavedPlan.read { () throws(HeadroomError) in
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
    }
}
