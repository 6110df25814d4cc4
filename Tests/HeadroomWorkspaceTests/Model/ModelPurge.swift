//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform

/// What a purge has to do with a plan, whatever has happened to the world since.
struct ModelPurge {
    /// What goes of the plan.
    private(set) var gone: [ModelItem] = []
    /// What stays of it.
    private(set) var kept: [ModelItem] = []
    private(set) var emptied: [String] = []
    /// What that frees.
    private(set) var frees: Int64 = 0
    /// How it ends before anything goes; nil: it does not. The plan and what is declared now may disagree
    /// (`refused`), or no area that something goes from has its root any more (`notFound`).
    let refusal: HeadroomError.Code?

    private let plan: ModelPlan
    private let rules: ModelRules
    /// The world as it is now, under what was declared when it was planned: whatever of that matters to the
    /// plan has not changed.
    private let declaredThen: ModelRules

    /// - Parameter rules: the world as it is now.
    init(_ plan: ModelPlan, _ rules: ModelRules) {
        self.plan = plan
        self.rules = rules
        declaredThen = ModelRules(
            world: rules.world.declaring(plan.rules.world.areas), facts: rules.facts,
            now: rules.now)
        refusal =
            Self.isRefused(plan, rules.world)
            ? .refused : Self.lacksRoots(plan, rules.world) ? .notFound : nil
        guard refusal == nil else { return }
        for item in plan.chosen {
            if goes(item) { gone.append(item) } else { kept.append(item) }
        }
        findEmptied()
        frees = rules.countWhole(gone.flatMap(\.members) + emptied).bytes
    }

    // MARK: - Declarations

    /// Whether something lies in another area than it was planned in, or in one of another kind.
    private static func isRefused(_ plan: ModelPlan, _ world: ModelWorld) -> Bool {
        var places: [(path: String, isDirectory: Bool, area: String)] = []
        for item in plan.chosen { places.append((item.path, item.unit == .directory, item.area)) }
        for path in plan.emptied { places.append((path, true, plan.rules.areaPath(path) ?? "")) }
        return places.contains { path, isDirectory, area in
            // By name alone, as areas are declared.
            let steps = isDirectory ? path.chain : path.parent?.chain ?? []
            guard let now = steps.last(where: { world.areas[$0] != nil }), now == area,
                let declared = world.areas[now], let planned = plan.rules.world.areas[area]
            else { return true }
            let isOther =
                declared.purgeClass != planned.purgeClass || declared.unit != planned.unit
            // A directory with an area in it, or to come.
            return isOther
                || isDirectory && world.areas.keys.contains { $0 == path || $0.isBelow(path) }
        }
    }

    /// One area without a root keeps only what was in it.
    private static func lacksRoots(_ plan: ModelPlan, _ world: ModelWorld) -> Bool {
        let used = plan.chosen.map(\.area) + plan.emptied.compactMap(plan.rules.areaPath)
        return !used.isEmpty
            && used.allSatisfy { area in
                // What goes from an essential area goes by its marks, wherever that area is.
                world.areas[area]?.purgeClass != .essential && !world.isDirectory(area)
            }
    }

    // MARK: - Items

    private func goes(_ item: ModelItem) -> Bool {
        guard isReached(item.path) else { return false }
        switch item.unit {
        case .directory:
            let now = [item.path] + rules.world.below(item.path)
            guard Set(now) == Set(item.members) else { return false }
            let isHeld = item.members.contains { isLeased($0) || isLeaseParent($0) }
            return !isHeld && item.members.allSatisfy(isAsPlanned)
        default:
            return !hasNewCompanion(item)
                && item.members.allSatisfy { isAsPlanned($0) && !isLeased($0) }
        }
    }

    /// Whether each directory on the way is the one of the plan, with the mark that it had, and not leased.
    private func isReached(_ path: String) -> Bool {
        (path.parent?.chain ?? []).allSatisfy { step in
            isSame(step) && declaredThen.mark(step) == plan.rules.mark(step) && !isLeased(step)
        }
    }

    private func isSame(_ path: String) -> Bool {
        rules.world.names[path] != nil && rules.world.names[path] == plan.rules.world.names[path]
    }

    /// Whether the file system says of something what it said when it was planned.
    private func isAsPlanned(_ path: String) -> Bool {
        guard let now = rules.facts[path], let then = plan.rules.facts[path] else { return false }
        return now.identity == then.identity && now.logicalSize == then.logicalSize
            && now.modified == then.modified && now.changed == then.changed
    }

    /// Whether something has come beside a file by which it is part of a database.
    private func hasNewCompanion(_ item: ModelItem) -> Bool {
        let sidecars = ModelRules.sidecars.map { item.path + $0 }
        if sidecars.contains(where: {
            rules.world.names[$0] != nil && !item.members.contains($0)
        }) {
            return true
        }
        guard item.unit == .file else { return false }
        return ModelRules.sidecars.contains { suffix in
            item.path.hasSuffix(suffix)
                && rules.world.isFile(String(item.path.dropLast(suffix.utf8.count)))
        }
    }

    /// Whether a file, by whatever name, or a directory is leased; what is in it is asked on the way.
    private func isLeased(_ path: String) -> Bool {
        guard let node = rules.world.names[path] else { return false }
        return rules.world.leases.values.contains { $0.node == node }
    }

    /// Whether something was leased in a directory, and may have been moved since: it stays.
    private func isLeaseParent(_ path: String) -> Bool {
        guard let node = rules.world.names[path] else { return false }
        return rules.world.leases.values.contains { $0.parent == node }
    }

    // MARK: - Directories that are left empty

    private mutating func findEmptied() {
        var left = rules.world
        for path in gone.flatMap(\.members).sorted(by: >) { left.remove(path) }
        for path in plan.emptied.sorted(by: { $0.depth > $1.depth }) {
            let isEmpty = isSame(path) && left.children(path).isEmpty
            guard isEmpty, isReached(path), !isLeased(path), !isLeaseParent(path),
                declaredThen.mark(path) == plan.rules.mark(path)
            else { continue }
            left.remove(path)
            emptied.append(path)
        }
    }
}
