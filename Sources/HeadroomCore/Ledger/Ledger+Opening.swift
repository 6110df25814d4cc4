//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
public import SystemPackage

extension Ledger {
    /// Opens the ledger of a directory, which is made (0700) if it is missing.
    ///
    /// A damaged or lost ledger is rebuilt from what can be read of it; the damaged file is kept as
    /// `ledger.damaged-<time>`, and what has the name of the purge journal or of the receipts and is none
    /// under such a name, too. Where nothing can be written (a full disk, no permission) the ledger is
    /// kept in memory. ``notices`` and ``rebuiltAt`` say what happened.
    ///
    /// - Parameters:
    ///   - readOnly: creates and changes nothing; also the way to read another user's ledger.
    ///   - now: the wall clock, for receipts' ages and the time of a rebuild.
    public static func open(
        directory: FilePath, readOnly: Bool = false,
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) -> Ledger {
        open(directory: directory, readOnly: readOnly, receiptLimit: 50_000_000, now: now)
    }

    /// - Parameter step: called when the log of the ledger has reached a step; for tests that end the
    ///   process there.
    package static func open(
        directory: FilePath, readOnly: Bool, receiptLimit: UInt64,
        now: @escaping @Sendable () -> Timestamp, step: (@Sendable (LogStep) -> Void)? = nil
    ) -> Ledger {
        var opening = Opening(path: directory, isReadOnly: readOnly, now: now(), step: step)
        return opening.ledger(receiptLimit: receiptLimit, now: now)
    }

    /// What is found out while a ledger is opened.
    private struct Opening {
        let path: FilePath
        let isReadOnly: Bool
        let now: Timestamp
        let step: (@Sendable (LogStep) -> Void)?
        var notices: [String] = []

        mutating func ledger(
            receiptLimit: UInt64, now: @escaping @Sendable () -> Timestamp
        ) -> Ledger {
            let place = directory()
            var state = LedgerState()
            // Before the ledger is made: what is beside it tells a new one from a lost one.
            let isUsed =
                place.map {
                    $0.contains(PurgeJournal.fileName) || $0.contains(ReceiptStore.fileName)
                }
                ?? false
            let log = place.flatMap { self.log(in: $0, isUsed: isUsed, &state) }
            let receipts = place.flatMap { self.receipts(in: $0) }
            if let place, !isReadOnly {
                // On a full volume, a reservation that finds no table frees space for one.
                // mutation: s14b-1
                try? ReservationTable.prepare(in: place)
                prepareJournal(in: place)
            }
            let ledger = Ledger(
                directory: path, isReadOnly: isReadOnly, place: place,
                core: Core(
                    state: state, log: log,
                    receipts: ReceiptStore(receipts, sizeLimit: receiptLimit), notices: notices),
                now: now)
            // What could not be written when it was registered.
            ledger.copyRegistrations()
            return ledger
        }

        private mutating func directory() -> StateDirectory? {
            do {
                return isReadOnly
                    ? try StateDirectory(opening: path) : try StateDirectory(creating: path)
            } catch .noSuchFileOrDirectory where isReadOnly {
                return nil
            } catch {
                report("make or open \(path.displayText)", error)
                return nil
            }
        }

        private mutating func log(
            in place: StateDirectory, isUsed: Bool, _ state: inout LedgerState
        ) -> CheckedLog? {
            do {
                var log = try CheckedLog(
                    Ledger.fileName, in: place, kind: Ledger.kind,
                    access: isReadOnly ? .reading : .writing, step: step)
                try log.update(&state)
                if log.wasCreated, isUsed { reportLoss(&log, &state) }
                if !log.wholeDamage.isEmpty || state.malformed > 0 {
                    rebuild(&log, &state, in: place)
                }
                return log
            } catch .noSuchFileOrDirectory where isReadOnly {
                if isUsed {
                    notices.append("The ledger of \(path.displayText) is gone.")
                    state.apply(.rebuilt(now))
                }
                return nil
            } catch .notSupported {
                notices.append(
                    "The ledger in \(path.displayText) was written by a later version of Headroom "
                        + "and cannot be read by this one.")
                state.apply(.rebuilt(now))
                return nil
            } catch {
                report("open the ledger in \(path.displayText)", error)
                // There is, or was, one that cannot be read: what it protects is not known.
                if isUsed || place.contains(Ledger.fileName) { state.apply(.rebuilt(now)) }
                return nil
            }
        }

        private mutating func reportLoss(_ log: inout CheckedLog, _ state: inout LedgerState) {
            notices.append(
                "The ledger of \(path.displayText) was gone; a new one was begun. "
                    + "What only it protected is left alone for 24 hours.")
            let record = LedgerRecord.rebuilt(now)
            do {
                try log.append([record.encoded], synchronizing: true, &state)
            } catch {
                report("write the ledger in \(path.displayText)", error)
            }
            state.apply(record)
        }

        /// Keeps what could be read, sets the damaged file aside, and says so.
        private mutating func rebuild(
            _ log: inout CheckedLog, _ state: inout LedgerState, in place: StateDirectory
        ) {
            let damage = log.wholeDamage
            var notice = "The ledger in \(path.displayText) is damaged: "
            var parts: [String] = []
            if damage.headerIsDamaged { parts.append("its header could not be read") }
            if damage.places > 0 {
                parts.append("\(damage.bytes) bytes in \(damage.places) places were left out")
            }
            if state.malformed > 0 { parts.append("\(state.malformed) records make no sense") }
            notice += parts.joined(separator: ", ") + "."
            let record = LedgerRecord.rebuilt(now)
            if !isReadOnly {
                let aside = place.asideName(for: "ledger", at: now)
                do {
                    try log.compact(
                        settingAside: aside, &state,
                        where: { !$1.isEmpty || $0.malformed > 0 },
                        { snapshot, state, _ in
                            var state = state
                            state.apply(record)
                            state.write(to: &snapshot)
                        })
                    notice += " The damaged file is kept as \(aside)."
                } catch {
                    notice += " It could not be written anew: \(error)."
                }
            }
            notices.append(notice + " What only it protected is left alone for 24 hours.")
            state.apply(record)
        }

        private mutating func receipts(in place: StateDirectory) -> CheckedLog? {
            do {
                // mutation: s7b-3
                if !isReadOnly { try keepForeignReceipts(in: place) }
                return try CheckedLog(
                    ReceiptStore.fileName, in: place, kind: ReceiptStore.kind,
                    access: isReadOnly ? .reading : .writing)
            } catch .noSuchFileOrDirectory where isReadOnly {
                return nil
            } catch {
                report("open the receipts in \(path.displayText)", error)
                return nil
            }
        }

        /// What has the name of the receipts and is none stays beside them: those that are too old are cut off.
        private mutating func keepForeignReceipts(in place: StateDirectory) throws(Errno) {
            guard
                let aside = try CheckedLog.setAsideForeign(
                    ReceiptStore.fileName, in: place, kind: ReceiptStore.kind,
                    as: { place.asideName(for: ReceiptStore.fileName, at: now) })
            else { return }
            notices.append(
                "\(ReceiptStore.fileName) in \(path.displayText) had no receipts that can be read: new ones "
                    + "were begun. The old file is kept as \(aside).")
        }

        private mutating func prepareJournal(in place: StateDirectory) {
            do {
                let aside = try PurgeJournal.prepare(in: place) {
                    place.asideName(for: PurgeJournal.fileName, at: now)
                }
                guard let aside else { return }
                notices.append(
                    "The purge journal in \(path.displayText) is damaged, or was never one: a new one "
                        + "was begun. The old file is kept as \(aside).")
            } catch {
                report("set aside room for the purge journal in \(path.displayText)", error)
            }
        }

        private mutating func report(_ what: String, _ error: Errno) {
            notices.append("Could not \(what): \(error). It is kept in memory only.")
        }
    }
}
