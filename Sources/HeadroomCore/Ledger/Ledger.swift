//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
import Synchronization
public import SystemPackage

/// The library's durable memory: registrations, marks, first and last uses, receipts.
///
/// One directory per user, shared by all processes of that user. Opening never fails: what cannot
/// be kept on disk is kept in memory, and ``notices`` says so. Every call may block on the disk for
/// a short time. Reads answer from memory as of the last ``refresh()``, which opening and every
/// write include.
///
///     let ledger = Ledger.open(directory: directory)
///     try ledger.setMark(Mark(isPinned: true), for: key, path: path, isDirectory: false)
///     let volume = ledger.volume(key.fileSystemID)
///     if volume.hasMarks { volume.mark(for: key) }
public final class Ledger: Sendable {
    /// The directory that was asked for.
    public let directory: FilePath
    /// It was opened for reading only: nothing is created, written or recovered.
    public let isReadOnly: Bool
    let now: @Sendable () -> Timestamp
    /// Nil if there is no directory.
    let place: StateDirectory?
    let core: Mutex<Core>

    struct Core: ~Copyable {
        var state = LedgerState()
        var log: CheckedLog?
        var receipts: ReceiptStore
        var notices: [String] = []
        /// Compaction failed at this length; not tried again before it has doubled.
        var compactionFailure: UInt64 = 0
        /// The log was lost while it was open, and does not yet say all that is known.
        var rebuild: Rebuild?
        /// Registrations that were known before and are not put back: it cannot be told whether they still hold.
        var doubtful: [Registration] = []
    }

    static let fileName = "ledger.log"
    static let kind: UInt32 = 0x4744_454C  // "LEDG"

    init(
        directory: FilePath, isReadOnly: Bool, place: StateDirectory?, core: consuming sending Core,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.directory = directory
        self.isReadOnly = isReadOnly
        self.place = place
        self.now = now
        self.core = Mutex(core)
    }

    // MARK: - State of the ledger itself

    /// Whether what is recorded outlives the process.
    public var isPersistent: Bool { core.withLock { $0.log != nil } }

    /// What is wrong with the ledger, a sentence each: damage, a full disk, no permission.
    public var notices: [String] {
        core.withLock { $0.notices + $0.receipts.notices }
    }

    /// When the ledger was last rebuilt from a damaged or lost one.
    ///
    /// Areas whose protection may have been recorded only there are left alone for 24 hours from
    /// then.
    public var rebuiltAt: Timestamp? { core.withLock { $0.state.rebuilt } }

    /// Takes notice of what other processes have written.
    ///
    /// Costs two status calls if there is nothing new.
    public func refresh() {
        core.withLock { core in
            do {
                try core.log?.update(&core.state)
            } catch {
                core.notices.append(
                    "The ledger in \(directory.displayText) could not be read again: \(error).")
            }
            keepWhatIsKnown(&core)
        }
    }

    // MARK: - Writing

    /// Appends records, and holds them in memory whether or not that works.
    func write(_ records: [LedgerRecord], synchronizing: Bool) throws(HeadroomError) {
        guard !records.isEmpty else { return }
        guard !isReadOnly else {
            throw HeadroomError(
                .refused, "The ledger in \(directory.displayText) was opened for reading only.")
        }
        try core.withLock { (core) throws(HeadroomError) in
            guard core.log != nil else {
                for record in records { core.state.apply(record) }
                throw HeadroomError(
                    .io,
                    "The ledger in \(directory.displayText) could not be opened for writing, and "
                        + "keeps nothing.")
            }
            var failure: Errno?
            do throws(Errno) {
                try core.log?.append(
                    records.map(\.encoded), synchronizing: synchronizing, &core.state)
            } catch {
                failure = error
            }
            for record in records { core.state.apply(record) }
            keepWhatIsKnown(&core, told: records)
            if let failure {
                throw HeadroomError("write the ledger in", directory, failure)
            }
            compactIfWanted(&core)
        }
    }

    private func compactIfWanted(_ core: inout Core) {
        guard core.log?.wantsCompaction == true,
            core.log?.end ?? 0 >= 2 * core.compactionFailure
        else { return }
        do {
            try core.log?.compact(&core.state) { snapshot, state, _ in state.write(to: &snapshot) }
            core.compactionFailure = 0
        } catch {
            // Nothing is lost: the log is only longer than it need be. A full disk is the usual
            // reason, and no time for more words.
            core.compactionFailure = core.log?.end ?? 0
        }
    }
}
