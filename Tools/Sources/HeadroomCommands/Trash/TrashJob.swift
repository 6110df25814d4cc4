//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

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
        let items = try items(named: names)
        var report = TrashRestoreReport()
        for item in items {
            do throws(HeadroomError) {
                report.restored.append(
                    try workspace.trash.restore(
                        item, to: target, creatingParents: creatingParents))
            } catch {
                report.failures.append((item.shownPath, error.message))
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
        let chosen = names.isEmpty ? nil : try items(named: names)
        let (plan, scope) = try workspace.planEmptyingTrash(chosen, olderThan: age)
        if asks, !plan.isEmpty {
            var document = Document()
            document.add(
                StyledText("\(plan.frees) in \(plan.count.counted("item"))", .strong)
                    + StyledText(" of the trash would go for good."))
            output.say(document)
            guard try isConfirmed("Empty it?") else { throw ExitStatus.failed.code }
        }
        defer { if chosen == nil { workspace.removeOrphanedTrashNotes() } }
        let now = Timestamp.now()
        try purge(
            plan, scope,
            meaning: chosen
                ?? workspace.trash.list(measuring: false).items.filter { item in
                    age.map { now.duration(since: item.agesFrom) >= $0 } ?? true
                })
    }

    /// Carries out a plan of what is in the trash, and says what stays of what was meant: nobody would look for it there.
    ///
    /// - Complexity: O(what is in the trash).
    private func purge(_ plan: Plan, _ scope: Scope, meaning items: [TrashItem]) throws {
        // Each of them goes whole, or is named as what stands in the way.
        let meant = Dictionary(items.map { ($0.path, $0.shownPath) }) { first, _ in first }
        var count = 0
        for obstacle in plan.obstacles {
            guard let path = meant[obstacle.path] else { continue }
            count += 1
            if count <= 10 {
                Diagnostics.say(
                    "\(path.homeRelativeText) stays in the trash. \(obstacle.reason.text)")
            }
        }
        if count > 10 {
            Diagnostics.say("So do \((count - 10).counted("item")) more. --json names all.")
        }
        if !plan.isEmpty || count == 0 || output.json {
            try PurgeJob(plan: plan, scope: scope, output: output).run()
        }
        if count > 0 { throw ExitStatus.partly.code }
    }

    // MARK: - Helpers

    /// The items of some names: the path that each had, else its name in the trash; of several the
    /// one that was thrown away last.
    private func items(named names: [String]) throws(HeadroomError) -> [TrashItem] {
        let listing = workspace.trash.list(measuring: false)
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
