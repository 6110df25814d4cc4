//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization
import SystemPackage

/// A purge that is being written down while it runs: begun before the first deletion, closed after
/// the last, and found at the next start if the process died in between (safety invariant S7).
///
/// Nothing here throws: a purge goes on whatever becomes of its record, and ``finish(_:)`` says in
/// the receipt's notes what went wrong. If the process dies, ``Ledger/recoverInterrupted()`` finds
/// what was recorded. Any thread may call; calls wait for one another.
///
///     let session = ledger.beginPurge(receipt)
///     session.record(PurgeBatch(going: units))
///     …
///     receipt = session.finish(receipt)
public final class PurgeSession: Sendable {
    private let ledger: Ledger
    private let state: Mutex<State>

    fileprivate struct State: ~Copyable {
        /// Nil: in memory only.
        var slot: JournalSlot?
        var notes: [String] = []
        var hasFailed = false
        var isFinished = false
    }

    init(_ ledger: Ledger, _ receipt: Receipt) {
        self.ledger = ledger
        var state = State(slot: nil)
        do {
            if let place = ledger.place, !ledger.isReadOnly {
                state.slot = try JournalSlot(in: place)
                if state.slot == nil { state.notes.append(Self.allTaken) }
                // mutation: s7a-1
                try state.slot?.start(receipt)
            } else {
                // mutation: s14c-3
                state.notes.append(Self.noJournal)
            }
        } catch {
            state.slot = nil
            // mutation: s14c-2
            state.notes.append("\(Self.noJournal) (\(error))")
        }
        self.state = Mutex(state)
    }

    private static let noJournal =
        "There was no journal: had the process died, nothing of this purge would have been known."
    private static let allTaken =
        "The journal was full of other purges: had the process died, nothing of this one would "
        + "have been known."

    /// What went wrong with the record so far.
    public var notes: [String] { state.withLock { $0.notes } }

    /// Whether the purge would be found after a crash.
    public var isJournaled: Bool { state.withLock { $0.slot != nil && !$0.hasFailed } }

    /// Writes a batch to the journal; not synced.
    ///
    /// Needs no space on the volume. Call it before the renames in `going` are done.
    public func record(_ batch: PurgeBatch) {
        state.withLock { state in
            do throws(Errno) {
                try state.slot?.record(batch)
            } catch {
                state.fail(error)
            }
        }
    }

    /// Closes the record and writes the receipt to the ledger; on disk when it returns.
    ///
    /// Where the ledger's volume is still full, the journal keeps the receipt until there is room.
    ///
    /// - Returns: the receipt as it was written, with what went wrong in its notes.
    public func finish(_ receipt: Receipt) -> Receipt {
        state.withLock { state in
            var receipt = receipt
            guard !state.isFinished else { return receipt }
            state.isFinished = true
            do throws(Errno) {
                var noted = receipt
                noted.notes += state.notes
                try state.slot?.finish(noted)
            } catch {
                state.fail(error)
            }
            receipt.notes += state.notes
            receipt.bound()
            do throws(HeadroomError) {
                // mutation: r22b-2
                receipt = try ledger.appendAfterPurge(receipt)
                // If this fails, the next start finds the receipt in the ledger already.
                try? state.slot?.free()
            } catch {
                let isKept = state.slot != nil && !state.hasFailed
                receipt.notes.append(
                    error.message
                        + (isKept
                            ? " The receipt is kept in the journal until there is room."
                            : " The receipt is not kept."))
            }
            state.slot = nil
            return receipt
        }
    }
}

extension PurgeSession.State {
    fileprivate mutating func fail(_ error: Errno) {
        guard !hasFailed else { return }
        hasFailed = true
        notes.append("The journal could not be written (\(error)); the purge went on without it.")
    }
}

extension Ledger {
    /// Starts the record of a purge; on disk, as far as it can be, when it returns.
    ///
    /// - Parameter receipt: with id, start, requester and target.
    public func beginPurge(_ receipt: Receipt) -> PurgeSession { PurgeSession(self, receipt) }

    /// Finds purges whose process died, writes their receipts to the ledger and frees their slots.
    ///
    /// Receipts that were finished and could not be written to a full disk are written now. One
    /// that still cannot be written stays in the journal and is found again. Call it at every start
    /// before the first purge.
    ///
    /// - Returns: the receipts of purges that ended without a word, with the outcome `crashed`; not those that somebody has
    ///   written to the ledger who died before he could free their slots.
    public func recoverInterrupted() -> [Receipt] {
        guard let place, !isReadOnly else { return [] }
        var crashed: [Receipt] = []
        do {
            let file = try PurgeJournal.open(in: place, .writing)
            for slot in 0..<PurgeJournal.slotCount {
                // mutation: s7b-7
                guard try JournalSlot.lock(slot, file) else { continue }
                defer { JournalSlot.unlock(slot, file) }
                try recover(slot, file, &crashed)
            }
        } catch .noSuchFileOrDirectory {
            // No journal: opening has said so.
        } catch .invalidArgument {
            note(foreignJournal)
        } catch {
            note("The purge journal in \(directory.displayText) could not be read: \(error).")
        }
        return crashed
    }

    /// Looks for purges whose process died, as ``recoverInterrupted()`` does, and changes nothing:
    /// they are found again until that has been called.
    ///
    /// While another process recovers, one of them may come into the ledger: ``receipts(last:with:)`` shows both.
    public func findInterrupted() -> [Receipt] {
        guard let place else { return [] }
        var crashed: [Receipt] = []
        do {
            let file = try PurgeJournal.open(in: place, .reading)
            for slot in 0..<PurgeJournal.slotCount where try !JournalSlot.isTaken(slot, file) {
                // A slot that is taken from here on holds no record of a purge that has ended.
                if case .running(let receipt) = try PurgeJournal.content(of: slot, in: file).0,
                    try !JournalSlot.isTaken(slot, file), !isWritten(receipt)
                {
                    crashed.append(receipt)
                }
            }
        } catch .noSuchFileOrDirectory {
            // No journal, no purge.
        } catch .invalidArgument {
            note(foreignJournal)
        } catch {
            note("The purge journal in \(directory.displayText) could not be read: \(error).")
        }
        return crashed
    }

    private func recover(
        _ slot: UInt64, _ file: borrowing RegularFile, _ crashed: inout [Receipt]
    ) throws(Errno) {
        let (receipt, isCutOff): (Receipt, Bool)
        switch try PurgeJournal.content(of: slot, in: file).0 {
        case .free: return
        case .unreadable:
            note("A purge ended without a word, and its record in the journal is not readable.")
            return try PurgeJournal.free(slot, in: file)
        case .running(let found): (receipt, isCutOff) = (found, true)
        case .final(let found): (receipt, isCutOff) = (found, false)
        }
        if !isWritten(receipt) {
            if isCutOff { crashed.append(receipt) }
            do {
                try append(receipt)
            } catch {
                return note(error.message)
            }
        }
        try PurgeJournal.free(slot, in: file)
    }

    /// Whether a receipt is in the ledger: of who wrote it the slot may be left.
    private func isWritten(_ receipt: Receipt) -> Bool {
        core.withLock { $0.receipts.contains(receipt.id) }
    }

    private var foreignJournal: String {
        "What is named \(PurgeJournal.fileName) in \(directory.displayText) is no purge journal of "
            + "Headroom's. It is left as it is."
    }

    private func note(_ text: String) {
        core.withLock { $0.notices.append(text) }
    }
}
