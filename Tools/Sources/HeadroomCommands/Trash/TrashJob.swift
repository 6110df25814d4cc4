//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom trash` does.
struct TrashJob {
    var workspace: Workspace
    var output: OutputOptions

    // MARK: - Throwing away

    func put(_ paths: [FilePath]) -> TrashReceiptReport {
        let selection = workspace.select(userFiles: paths)
        let progress = PurgeProgress()
        let receipt = ProgressLine.during(
            isShown: output.showsProgress,
            state: {
                ProgressState(
                    count: progress.removed, noun: "items", bytes: progress.freed,
                    path: progress.currentPath)
            }, cancel: { progress.cancel() },
            {
                workspace.dispose(
                    of: selection, requester: Session.requester, progress: progress)
            })
        return TrashReceiptReport(receipt: receipt, freesWhenEmptied: selection.freesWhenEmptied)
    }

    /// Moves to the trash and empties it of just that, by a plan: there is no other way to delete.
    func delete(_ paths: [FilePath], asks: Bool) throws {
        let selection = workspace.select(userFiles: paths)
        guard !selection.isEmpty else { return try output.print(put(paths)) }
        if asks {
            let count = selection.files.reduce(0) { $0 + $1.fileCount }.counted("file")
            Diagnostics.say(
                "\(count), \(selection.allocated), would be deleted for good: "
                    + selection.files.prefix(3).map(\.path.homeRelativeText).joined(separator: ", ")
                    + (selection.files.count > 3 ? ", …" : ""))
            guard try isConfirmed("Delete it for good?") else { throw ExitStatus.failed.code }
        }
        let receipt = workspace.dispose(of: selection, requester: Session.requester)
        for skipped in receipt.skipped { Diagnostics.say(skipped.reason.text) }
        let items = workspace.trash.list(measuring: false).items.filter {
            $0.receipt == receipt.id
        }
        let (plan, scope) = try workspace.planEmptyingTrash(items)
        try purge(plan, scope, meaning: items)
        if receipt.skippedCount > 0 { throw ExitStatus.partly.code }
    }

    // MARK: - Bringing back

    func restore(
        _ names: [String], to target: FilePath?, creatingParents: Bool
    ) throws(HeadroomError) -> TrashRestoreReport {
        let items = try items(named: names, in: workspace.trash.list(measuring: false))
        var report = TrashRestoreReport()
        for item in items {
            do throws(HeadroomError) {
                report.restored.append(
                    try workspace.trash.restore(
                        item, to: target, creatingParents: creatingParents))
            } catch {
                report.failures.append((item.shownPath, error))
            }
        }
        return report
    }

    func undo(_ prefix: String, creatingParents: Bool) throws -> TrashReceiptReport {
        guard let receipt = try workspace.ledger.receipt(prefix) else {
            throw HeadroomError(
                .notFound, "There is no receipt “\(prefix)”. headroom log lists them.")
        }
        guard receipt.kind == .disposal else {
            throw HeadroomError(
                .invalid,
                "Receipt \(receipt.shortID) has moved nothing to the trash: what a purge deletes is "
                    + "gone.")
        }
        return TrashReceiptReport(
            receipt: try workspace.undo(
                receipt.id, requester: Session.requester, creatingParents: creatingParents),
            freesWhenEmptied: .zero)
    }

    // MARK: - Emptying

    func empty(_ names: [String], olderThan age: Duration?, asks: Bool) throws {
        let listing = workspace.trash.list(measuring: false)
        let chosen = names.isEmpty ? nil : try items(named: names, in: listing)
        let (plan, scope) = try workspace.planEmptyingTrash(chosen, olderThan: age)
        if asks, !plan.isEmpty {
            var document = Document()
            document.add(
                StyledText("\(plan.frees) in \(plan.count.counted("item"))", .strong)
                    + StyledText(" of the Trash would be deleted permanently."))
            output.say(document)
            guard try isConfirmed("Empty it?") else { throw ExitStatus.failed.code }
        }
        defer { if chosen == nil { workspace.removeOrphanedTrashNotes() } }
        let now = Timestamp.now()
        let meant =
            chosen
            ?? listing.items.filter { item in
                age.map { now.duration(since: item.agesFrom) >= $0 } ?? true
            }
        // A Trash that cannot be read may contain more items.
        let unread = chosen == nil ? listing.notes : []
        try purge(plan, scope, meaning: meant, unread: unread)
    }

    /// Carries out a plan for the Trash, and reports the requested items that are kept.
    ///
    /// - Complexity: O(items in the Trash).
    private func purge(
        _ plan: Plan, _ scope: Scope, meaning items: [TrashItem], unread: [Reason] = []
    ) throws {
        // Each item is purged whole, or is named as an obstacle.
        let meant = Dictionary(items.map { ($0.path, $0.shownPath) }) { first, _ in first }
        let obstacles = plan.obstacles.compactMap { obstacle in
            meant[obstacle.path].map { (path: $0, text: obstacle.reason.text) }
        }
        for obstacle in obstacles.prefix(10) {
            Diagnostics.say(
                "\(obstacle.path.homeRelativeText) is kept in the trash. \(obstacle.text)")
        }
        if obstacles.count > 10 {
            let more = (obstacles.count - 10).counted("item")
            Diagnostics.say("\(more) more could not be deleted. --json lists all.")
        }
        let readOnly = items.filter(\.directory.isReadOnly)
        report(readOnly)
        for note in unread { Diagnostics.say(note.text) }
        let isPartial = !obstacles.isEmpty || !readOnly.isEmpty || !unread.isEmpty
        if !plan.isEmpty || !isPartial || output.json {
            var job = PurgeJob(plan: plan, scope: scope, output: output)
            job.excluded = readOnly.map { item in
                Receipt.Skipped(
                    path: item.path,
                    reason: Reason(.readOnly, item.directory.readOnlyAdvice ?? ""))
            }
            try job.run()
        }
        if isPartial { throw ExitStatus.partly.code }
    }

    /// Says once per Trash that nothing is deleted from a read-only volume.
    private func report(_ readOnly: [TrashItem]) {
        let byDirectory = Dictionary(grouping: readOnly, by: \.directory)
        for (directory, items) in byDirectory.sorted(by: {
            $0.key.path.displayText < $1.key.path.displayText
        }) {
            guard let advice = directory.readOnlyAdvice else { continue }
            Diagnostics.say(
                "Could not delete \(items.count.counted("item")) in "
                    + "\(directory.path.displayText). \(advice)")
        }
    }

    // MARK: - Helpers

    /// The items of some names: the path that each had, else its name in the trash; of several the
    /// one that was thrown away last.
    private func items(
        named names: [String], in listing: TrashListing
    ) throws(HeadroomError) -> [TrashItem] {
        var items: [TrashItem] = []
        for name in names {
            // The directory that it was in may be gone.
            let path = try? Paths.absolute(name)
            let spelled = FilePath(name)
            let found =
                listing.items.first { $0.originalPath == path || $0.originalPath == spelled }
                ?? listing.items.first { $0.path == path || $0.name.text == name }
            guard let found else {
                throw HeadroomError(
                    .notFound,
                    "\(spelled.displayText) is not in the trash. headroom trash list shows what is."
                )
            }
            items.append(found)
        }
        return items
    }

    private func isConfirmed(_ question: String) throws(HeadroomError) -> Bool {
        switch Confirmation().ask(question) {
        case .yes: return true
        case .no:
            Diagnostics.say("Nothing was deleted.")
            return false
        case .nobody:
            throw HeadroomError(
                .refused,
                "Nobody can be asked: standard input or error is no terminal. Add --yes to delete "
                    + "without a question.")
        }
    }
}
