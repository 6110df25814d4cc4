//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// Compares what the engine says with what the model says.
struct ModelComparison {
    let root: FilePath

    private func relative(_ path: FilePath) -> String {
        String(path.string.dropFirst(root.string.utf8.count + 1))
    }

    // MARK: - Plans

    func compare(_ plan: Plan, _ model: ModelPlan) throws {
        let items = plan.filter { $0.unit != .emptyDirectory }
        try compareItems(items, model)
        try compareEmptied(plan, items.count, model)
        if plan.frees.bytes != model.frees {
            throw ModelFailure(.figures, "frees \(plan.frees.bytes), not \(model.frees)")
        }
        if plan.missing.bytes != model.missing {
            throw ModelFailure(.figures, "misses \(plan.missing.bytes), not \(model.missing)")
        }
        if !model.missingInodes.contains(plan.missingInodes) {
            throw ModelFailure(
                .figures, "misses \(plan.missingInodes) inodes, not \(model.missingInodes)")
        }
        let excess = Dictionary(
            uniqueKeysWithValues: plan.overLimit.map { (relative($0.area.root), $0.excess.bytes) })
        if excess != model.excess {
            throw ModelFailure(.figures, "areas stay over: \(excess), not \(model.excess)")
        }
    }

    private func compareItems(_ items: [PlanEntry], _ model: ModelPlan) throws {
        let found = items.map { describe($0) }
        let expected = model.chosen.map { describe($0) }
        let more = Set(found).subtracting(expected).sorted()
        if !more.isEmpty { throw ModelFailure(.choice, "planned, and should not be: \(more)") }
        let missing = Set(expected).subtracting(found).sorted()
        if !missing.isEmpty {
            throw ModelFailure(.choice, "not planned, and should be: \(missing)")
        }
        if found != expected { throw ModelFailure(.order, "\(found), not \(expected)") }
    }

    private func describe(_ entry: PlanEntry) -> String {
        let sidecars = entry.sidecars.map { " +\($0.text)" }.joined()
        return "\(relative(entry.path)) \(entry.purgeClass.name) \(entry.unit.rawValue)\(sidecars)"
    }

    private func describe(_ item: ModelItem) -> String {
        let sidecars =
            item.unit == .fileSet
            ? item.members.dropFirst().map { " +\($0.split(separator: "/").last ?? "")" }.joined()
            : ""
        let name = PlannedClass(item.key.purgeClass).name
        return "\(item.path) \(name) \(item.unit.rawValue)\(sidecars)"
    }

    /// They come after all else, children before their parents.
    private func compareEmptied(_ plan: Plan, _ items: Int, _ model: ModelPlan) throws {
        let emptied = plan.dropFirst(items).map { relative($0.path) }
        if plan.prefix(items).contains(where: { $0.unit == .emptyDirectory }) {
            throw ModelFailure(.order, "a directory that is left empty comes before an item")
        }
        guard Set(emptied) == model.emptied, emptied.count == model.emptied.count else {
            throw ModelFailure(
                .choice, "left empty are \(emptied.sorted()), not \(model.emptied.sorted())")
        }
        for (index, path) in emptied.enumerated()
        where emptied[..<index].contains(where: { path.isBelow($0) }) {
            throw ModelFailure(.order, "\(path) comes after what it lies in")
        }
    }

    // MARK: - Purges

    func compare(_ receipt: Receipt, _ model: ModelPurge) throws {
        if receipt.outcome != .completed {
            throw ModelFailure(.receipt, "the purge ended as \(receipt.outcome)")
        }
        let removed = receipt.removed.map { relative($0.path) }.sorted()
        // Of a database each file is named.
        let gone = model.gone.flatMap { $0.unit == .fileSet ? $0.members : [$0.path] }
        let expected = (gone + model.emptied).sorted()
        if removed != expected {
            throw ModelFailure(.receipt, "says that \(removed) went, not \(expected)")
        }
        if receipt.removedCount != model.gone.count || receipt.emptiedCount != model.emptied.count {
            throw ModelFailure(
                .receipt, "counts \(receipt.removedCount) and \(receipt.emptiedCount)")
        }
        let skipped = Set(receipt.skipped.map { relative($0.path) })
        let kept = Set(model.kept.map(\.path))
        if !kept.isSubset(of: skipped) {
            throw ModelFailure(
                .receipt, "does not say why there still is \(kept.subtracting(skipped).sorted())")
        }
        if receipt.expected.bytes != model.frees {
            throw ModelFailure(.receipt, "frees \(receipt.expected.bytes), not \(model.frees)")
        }
    }
}
