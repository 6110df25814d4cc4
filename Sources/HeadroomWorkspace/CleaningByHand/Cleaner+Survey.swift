//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCatalog
public import HeadroomCore
public import HeadroomInventory
import HeadroomPlanning
import HeadroomPlatform
import HeadroomPurging
import SystemPackage

extension Cleaner {
    /// Finds what there is to choose from. Each section is reported at once, empty, and again whenever
    /// more is known; the modules' section is the caller's. Blocks until all is known.
    ///
    /// - Parameters:
    ///   - seen: what somebody has scanned of the caches just now; nil: they are looked through.
    ///   - progress: cancelling ends it soon, with what is known.
    ///   - report: called on this thread. Must not ask for a preview, which may wait for this survey.
    /// - Throws: `HeadroomError` if the caches cannot be looked through.
    /// - Complexity: O(files in caches, trash, downloads and the person's directories).
    public func survey(
        of seen: (scope: Scope, inventory: Inventory)? = nil,
        progress: ScanProgress = ScanProgress(), report: (CleaningUpdate) -> Void
    ) throws(HeadroomError) {
        surveyed.begin()
        defer { surveyed.end() }
        for section in CleaningSection.all where section != .moduleCaches {
            report(CleaningUpdate(section: section, items: [], isComplete: false))
        }
        // What is soon known comes first.
        surveyTrash(report)
        let scope = seen?.scope ?? workspace.scope()
        var files = UserFileSurvey(areas: scope.areas)
        var downloads = surveyDownloads(files, progress)
        if places.collections.isEmpty || !downloads.items.isEmpty { report(downloads) }
        let (caches, collected) = try surveyCaches(scope, seen?.inventory, progress, report)
        if !places.collections.isEmpty {
            downloads = CleaningUpdate(
                section: .downloads, items: downloads.items + collected, isComplete: true)
            report(downloads)
        }
        for root in places.userFiles where !progress.isCancelled {
            surveyUserFiles(root, &files, progress, report)
        }
        for update in files.updates(isComplete: true) { report(update) }
        // Last, since nothing can be marked of it: what only tools empty is measured by itself.
        if !caches.isComplete { measure(caches, progress, report) }
    }

    private func measure(
        _ caches: CleaningUpdate, _ progress: ScanProgress, _ report: (CleaningUpdate) -> Void
    ) {
        var items = caches.items
        let unknown = items.indices.filter { !items[$0].isSelectable }
        for index in unknown where !progress.isCancelled {
            // What cannot be looked through has no size.
            guard let path = items[index].path,
                let totals = try? Scanner.freedTotals(
                    of: path, options: ScanOptions(now: workspace.clock()), progress: progress),
                totals.isComplete
            else { continue }
            items[index].allocated = totals.bytes
            items[index].fileCount = totals.files
            if index == unknown.last { break }
            report(CleaningUpdate(section: caches.section, items: items, isComplete: false))
        }
        report(CleaningUpdate(section: caches.section, items: items, isComplete: true))
    }

    // MARK: - What can be made again

    /// - Returns: the section of caches, complete if all in it is measured, and what is shown among
    ///   downloads.
    private func surveyCaches(
        _ scope: Scope, _ seen: Inventory?, _ progress: ScanProgress,
        _ report: (CleaningUpdate) -> Void
    ) throws(HeadroomError) -> (caches: CleaningUpdate, downloads: [Cleanable]) {
        let registered = Set(
            workspace.ledger.registrations.filter { $0.purgeClass != .essential }.map(\.root))
        let commands = itemsWithCommands()
        let inventory: Inventory
        if let seen {
            inventory = seen
        } else {
            inventory = try scanCaches(scope, progress) { plan in
                let soFar = items(of: plan, registered).merging(commands) { $1 }.values
                for update in Self.updates(of: soFar, isComplete: false) { report(update) }
            }
        }
        let plan = try planOfAll(scope, inventory)
        if inventory.isComplete { surveyed.set((scope, inventory)) }
        let all = items(of: plan, registered).merging(commands) { $1 }.values
        let updates = Self.updates(of: all, isComplete: true)
        for update in updates { report(update) }
        return (updates[0], all.filter { $0.section == .downloads })
    }

    /// - Parameter report: called with a plan of what is known so far.
    private func scanCaches(
        _ scope: Scope, _ progress: ScanProgress, _ report: (Plan) -> Void
    ) throws(HeadroomError) -> Inventory {
        let clock = ContinuousClock()
        let began = clock.now
        var spent = Duration.zero
        return try scope.scan(progress: progress) { inventorySoFar in
            // Planning what is known so far must not keep a person waiting for the rest.
            let start = clock.now
            guard spent * 4 <= began.duration(to: start) else { return }
            // What fails is said at the end.
            guard let plan = try? planOfAll(scope, inventorySoFar()) else { return }
            report(plan)
            spent += start.duration(to: clock.now)
        }
    }

    private func planOfAll(
        _ scope: Scope, _ inventory: Inventory
    ) throws(HeadroomError) -> Plan {
        try scope.plan(inventory, targets: [.all], through: .lastResort)
    }

    /// The sections of what can be made again, that of the caches first.
    private static func updates(
        of items: some Collection<Cleanable>, isComplete: Bool
    ) -> [CleaningUpdate] {
        [
            // What only tools empty is measured at the very end.
            CleaningUpdate(
                section: .systemCaches, items: items.filter { $0.section == .systemCaches },
                isComplete: isComplete && items.allSatisfy(\.isSelectable)),
            CleaningUpdate(
                section: .purgeableDirectories,
                items: items.filter { $0.section == .purgeableDirectories },
                isComplete: isComplete),
        ]
    }

    /// What a plan of all would purge, place by place, by id.
    private func items(of plan: Plan, _ registered: Set<FilePath>) -> [String: Cleanable] {
        var found: [String: Cleanable] = [:]
        let collected = collectedFiles(of: plan)
        // An item that frees nothing, such as a hard link to an installed file, is not worth choosing.
        for place in plan.summary(depth: 1).places
        // mutation: r31a-1
        where place.purgeClass != .trash && place.sum.bytes > .zero {
            // Shown entry by entry, and once.
            if places.downloads.contains(where: { place.path.lies(in: $0) }) { continue }
            var item = cleanable(of: place, registered)
            // mutation: r31b-2
            if item.section == .downloads, places.hasTrash {
                item.action = .dispose
                item.files = collected[place.path] ?? []
            }
            if let known = found[item.id] {
                item.allocated = (known.allocated ?? .zero) + (item.allocated ?? .zero)
                item.fileCount += known.fileCount
                item.lastUse = [known.lastUse, item.lastUse].compactMap(\.self).max()
            }
            found[item.id] = item
        }
        return found
    }

    /// The downloads in each directory of a collection: the files that are marked as last resort there.
    /// Other files are not downloads, and are kept.
    private func collectedFiles(of plan: Plan) -> [FilePath: [FilePath]] {
        guard !places.collections.isEmpty, places.hasTrash else { return [:] }
        var files: [FilePath: [FilePath]] = [:]
        for (index, candidate) in plan.chosen.enumerated()
        where candidate.plannedClass == .lastResort && candidate.kind != .emptyDirectory {
            let area = plan.inventory.areas[Int(candidate.area)]
            guard area.purgeClass == .essential else { continue }
            let entry = plan[index]
            let depth = area.root.components.count
            let isLoose = entry.path.components.count <= depth + 1
            let place =
                isLoose && candidate.isItem
                ? area.root : area.root.appending(Array(entry.path.components)[depth])
            files[place, default: []].append(entry.path)
            let parent = entry.path.removingLastComponent()
            files[place, default: []] += entry.sidecars.map { parent.appending($0) }
        }
        return files
    }

    /// The known caches that only their tools empty, by id.
    private func itemsWithCommands() -> [String: Cleanable] {
        var found: [String: Cleanable] = [:]
        for cache in workspace.wellKnownCaches() where !cache.entry.isPurgeable {
            guard cache.entry.purgeClass != .essential, !cache.entry.command.isEmpty else {
                continue
            }
            let id = cache.root.displayText
            found[id] = Cleanable(
                id: id, section: .systemCaches, name: cache.entry.name, path: cache.root,
                note: cache.entry.command.joined(separator: " "), allocated: nil, fileCount: 0,
                action: .command(cache.entry.command))
        }
        return found
    }

    private func cleanable(
        of place: PlanSummary.Place, _ registered: Set<FilePath>
    ) -> Cleanable {
        let area = place.area
        let entry = workspace.catalogueEntry(of: area)
        let isRegistered = registered.contains(area.root)
        let isWhole = entry != nil || isRegistered
        let path = isWhole ? area.root : place.path
        let isLoose = !isWhole && place.path == area.root
        let name =
            entry?.name ?? (isLoose ? "Files directly in it" : path.lastComponent?.string ?? "/")
        let note =
            place.purgeClass == .lastResort
            ? "last resort" : entry?.cost ?? (isRegistered ? area.origin : "")
        let isCollected =
            place.purgeClass == .lastResort && area.purgeClass == .essential
            && places.collections.contains { path.lies(in: $0) }
        return Cleanable(
            id: path.displayText + (isLoose ? "/*" : ""),
            section: isRegistered
                ? .purgeableDirectories : isCollected ? .downloads : .systemCaches,
            name: name, path: path,
            note: note, allocated: place.sum.bytes, fileCount: place.sum.items,
            lastUse: place.sum.newestUse, action: isLoose ? .purgeLooseFiles : .purge)
    }

    private func surveyTrash(_ report: (CleaningUpdate) -> Void) {
        let items = workspace.trash.list().items.filter { !$0.directory.isReadOnly }.map { item in
            Cleanable(
                id: item.path.displayText, section: .trash,
                name: item.shownPath.lastComponent?.string ?? item.name.text, path: item.path,
                note: item.originalPath?.removingLastComponent().displayText ?? "",
                allocated: item.freed, fileCount: item.fileCount ?? 1, lastUse: item.deleted,
                action: .empty)
        }
        report(CleaningUpdate(section: .trash, items: items, isComplete: true))
    }

    // MARK: - A person's own

    /// The entries of the directories of downloads; complete unless more may be found elsewhere.
    private func surveyDownloads(
        _ files: UserFileSurvey, _ progress: ScanProgress
    ) -> CleaningUpdate {
        var items: [Cleanable] = []
        for directory in places.downloads where !progress.isCancelled {
            guard let inventory = scan(directory, files.areas, progress) else { continue }
            for root in inventory.rootDirectories {
                items += UserFileSurvey.entries(of: root, hasTrash: places.hasTrash)
            }
        }
        return CleaningUpdate(
            section: .downloads, items: items, isComplete: places.collections.isEmpty)
    }

    /// Looks through one directory after the other, so that there is something to see early.
    private func surveyUserFiles(
        _ root: FilePath, _ files: inout UserFileSurvey, _ progress: ScanProgress,
        _ report: (CleaningUpdate) -> Void
    ) {
        guard let directory = try? Descriptor.openDirectory(root),
            let names = try? workspace.calls.names(in: directory.rawValue)
        else { return }
        let areas = Set(files.areas.filter { $0.purgeClass != .essential }.map(\.root))
        for name in names where name.bytes.first != UInt8(ascii: ".") && !progress.isCancelled {
            let path = root.appending(name)
            if areas.contains(path) || places.downloads.contains(path) { continue }
            let status = try? name.withEntryName { (entry) throws(Errno) in
                try workspace.calls.status(of: entry, at: directory.rawValue)
            }
            if status?.type == .regular, let status {
                files.add(path, status)
            } else if status?.type == .directory,
                let inventory = scan(path, files.areas, progress)
            {
                files.add(inventory, workspace.calls)
                for update in files.updates(isComplete: false) { report(update) }
            }
        }
    }

    /// - Returns: nil for what cannot be opened, or is not there.
    private func scan(
        _ path: FilePath, _ areas: [Area], _ progress: ScanProgress
    ) -> Inventory? {
        var options = ScanOptions(now: workspace.clock())
        options.markSource = workspace.markSource
        let volume = try? Volume.containing(path)
        return try? Scanner.scan(
            [
                ScanRoot(
                    path: path, countsAccess: !(volume?.isNoatime ?? false),
                    // What cannot be told stays.
                    mark: (try? workspace.effectiveMark(of: path.removingLastComponent()))
                        ?? Mark(isPinned: true))
            ], areas: areas,
            options: options, progress: progress)
    }
}
