//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlanning
import HeadroomPlatform
public import HeadroomPurging
public import SystemPackage

extension Workspace {
    /// Looks at files that a person has named, and says which of them may be thrown away.
    ///
    /// Changes nothing. Blocks: walks directories.
    ///
    /// - Parameter paths: absolute; the last component is not followed if it is a link.
    /// - Complexity: O(files in what was named).
    public func select(userFiles paths: [FilePath]) -> UserFileSelection {
        select(userFiles: paths, within: nil)
    }

    /// - Parameter limits: what is named must lie below one of these.
    package func select(userFiles paths: [FilePath], within limits: [FilePath]?)
        -> UserFileSelection
    {
        DisposalRules(self, within: limits).select(paths)
    }

    /// Moves what a person has named to the trash. Frees nothing; `undo(_:requester:)` brings it back.
    ///
    /// Each is looked at once more, and goes by the descriptor of its directory in one step: it is where
    /// it was, or in the trash. Blocks. The receipt is in the ledger when it returns.
    ///
    /// - Parameters:
    ///   - requester: who asks, for the receipt.
    ///   - progress: counts what has gone; cancelling stops between two of them.
    /// - Returns: what is in the trash now, as `removed`, and what is not and why, as `skipped`; its total is
    ///   what emptying the trash frees, files with links elsewhere not counted.
    public func dispose(
        of selection: UserFileSelection, requester: String,
        progress: PurgeProgress = PurgeProgress()
    ) -> Receipt {
        dispose(of: selection, requester: requester, progress: progress, within: nil)
    }

    package func dispose(
        of selection: UserFileSelection, requester: String, progress: PurgeProgress,
        within limits: [FilePath]?
    ) -> Receipt {
        dispose(of: selection, requester: requester, progress: progress, within: limits, by: nil)
    }

    /// The same, with a system that moves things to its trash by itself.
    ///
    /// The receipt says where it has moved each, so that ``undo(_:requester:creatingParents:)`` finds it.
    package func dispose(
        of selection: UserFileSelection, requester: String, within limits: [FilePath]?,
        by system: any SystemTrashing
    ) -> Receipt {
        dispose(
            of: selection, requester: requester, progress: PurgeProgress(), within: limits,
            by: .some(system))
    }

    package func dispose(
        of selection: UserFileSelection, requester: String, progress: PurgeProgress,
        within limits: [FilePath]?, by system: (any SystemTrashing)?
    ) -> Receipt {
        var receipt = Receipt(
            id: Purger.makeID(at: clock()), started: clock(), requester: requester,
            target: "move to the trash")
        receipt.kind = .disposal
        receipt.outcome = .completed
        receipt.skipped = selection.refused
        let rules = DisposalRules(self, within: limits)
        var moved = DisposalTally()
        var untold = 0
        for (number, file) in selection.files.enumerated() {
            if progress.isCancelled {
                receipt.outcome = .interrupted
                break
            }
            progress.note(file.path)
            do throws(HeadroomError) {
                let entry = TrashInfo.Entry(id: receipt.id, number: number)
                let gone = try dispose(of: file, rules, entry, system)
                moved.add(gone.tally)
                if let trashed = gone.trashed {
                    receipt.trashed.append(trashed)
                } else if system != nil {
                    untold += 1
                }
                receipt.removedCount += 1
                if receipt.removed.count < Receipt.removedPathLimit {
                    receipt.removed.append(
                        Receipt.Removed(path: file.path, bytes: file.allocated))
                }
                progress.addRemoved(1, bytes: file.allocated.bytes)
            } catch {
                receipt.skipped.append(
                    Receipt.Skipped(
                        path: file.path, reason: Reason(error.code.reason, error.message)))
                progress.addSkipped()
            }
        }
        receipt.skippedCount = receipt.skipped.count
        // mutation: r33a-1 (2 lines)
        receipt.volumeGained = .zero
        if untold > 0 {
            receipt.notes.append(
                "The system did not say where its trash has \(untold) of them; a person brings them "
                    + "back.")
        }
        // Nothing was chosen that may go: nothing has happened.
        if selection.isEmpty { return receipt }
        if receipt.removedCount > 0 {
            receipt.perClass = [
                Receipt.Total(
                    name: PlannedClass.trash.name, bytes: moved.freed,
                    count: receipt.removedCount)
            ]
        }
        return close(receipt)
    }

    /// What was moved, and where a system's trash has it.
    private struct Moved {
        var tally: DisposalTally
        var trashed: Receipt.Trashed?
    }

    private func dispose(
        of file: UserFile, _ rules: DisposalRules, _ entry: TrashInfo.Entry,
        _ system: (any SystemTrashing)?
    ) throws(HeadroomError) -> Moved {
        let named = try NamedEntry.find(file.path, calls)
        guard named.status.identity == file.status.identity, named.path == file.path else {
            throw DisposalRules.refused(
                file.path, "something else has its name since it was chosen")
        }
        // Whatever has come up meanwhile: a mark, a lease, a declaration.
        try rules.check(named)
        var survey = DisposalSurvey(marks: markSource, calls: calls)
        let outer = try effectiveMark(of: file.path.removingLastComponent())
        let finding: DisposalSurvey.Finding
        do throws(Errno) {
            finding = try survey.add(
                named.name, at: named.parent.rawValue, named.status, outer: outer)
        } catch {
            throw HeadroomError("look through", file.path, error)
        }
        if let obstacle = finding.obstacle {
            throw HeadroomError(.refused, obstacle.text)
        }
        // mutation: s1c-1
        guard finding.evidence == file.evidence else {
            throw DisposalRules.refused(
                file.path,
                named.status.type == .directory
                    ? "what is in it has changed since it was chosen"
                    : "it has changed since it was chosen")
        }
        var moved = Moved(tally: survey.tally)
        if let system {
            moved.trashed = try put(named.path, named.status, in: system)
        } else {
            _ = try trash.put(
                named.name, at: named.parent, path: named.path, named.status, receipt: entry)
        }
        return moved
    }

    /// Brings back what a disposal has moved to the trash: content, times, modes and attributes are
    /// what they were. Nothing is replaced. Blocks.
    ///
    /// - Parameter id: the receipt's, in full.
    /// - Returns: a receipt of its own: what is back as `removed`, the rest as `skipped`.
    /// - Throws: `notFound` if nothing of the receipt is in the trash any more.
    public func undo(
        _ id: String, requester: String, creatingParents: Bool = false
    ) throws(HeadroomError) -> Receipt {
        var receipt = Receipt(
            id: Purger.makeID(at: clock()), started: clock(), requester: requester,
            target: "undo \(id)")
        receipt.kind = .restoration
        receipt.outcome = .completed
        var (restored, kept) = trash.restore(receipt: id, creatingParents: creatingParents)
        // One that cannot be read says nothing of a system's trash; the desktop's knows by itself.
        if let trashed = (try? ledger.receipt(id))?.trashed, !trashed.isEmpty {
            let (others, stayed) = restore(trashed, creatingParents: creatingParents)
            restored += others
            kept += stayed
        }
        guard !restored.isEmpty || !kept.isEmpty else {
            throw HeadroomError(
                .notFound,
                "Nothing that receipt \(id) has thrown away is in the trash any more: it was "
                    + "restored, or the trash was emptied.")
        }
        receipt.removed = restored.prefix(Receipt.removedPathLimit).map {
            Receipt.Removed(path: $0, bytes: .zero)
        }
        receipt.removedCount = restored.count
        receipt.skipped = kept
        receipt.skippedCount = kept.count
        receipt.volumeGained = .zero
        return close(receipt)
    }

    /// Ends a receipt and writes it to the ledger.
    private func close(_ open: Receipt) -> Receipt {
        var receipt = open
        receipt.ended = clock()
        do {
            try ledger.append(receipt)
        } catch {
            receipt.notes.append("This receipt could not be kept: \(error.message)")
        }
        return receipt
    }
}
