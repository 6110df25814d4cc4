//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
import Synchronization
import SystemPackage

// What is registered stands in the ledger alone, and once more in a log of its own. Nothing is put back
// from there: a registration is also permission to delete, and may have been taken back since. The copy
// tells what to leave alone for a day after the ledger was lost.
extension Ledger {
    static let copyName = "registrations.log"
    private static let copyKind: UInt32 = 0x5347_4552  // "REGS"

    /// Whether the ledger was lost, or a part of it, less than 24 hours before a time.
    package func wasLost(shortlyBefore time: Timestamp) -> Bool {
        guard let rebuiltAt else { return false }
        return time.duration(since: rebuiltAt) < .seconds(86_400)
    }

    /// What had been registered when the ledger was lost, less than 24 hours before a time, and has not
    /// been registered again: it is not known to the ledger, or not as it was registered last.
    ///
    /// Costs nothing if the ledger was not lost; reads a file otherwise.
    ///
    /// - Returns: nil if that cannot be told: the copy is damaged too. Where there is none, nothing was
    ///   registered.
    package func lostRegistrations(at time: Timestamp) -> [Registration]? {
        guard wasLost(shortlyBefore: time) else { return [] }
        guard let copied = copiedRegistrations() else { return nil }
        let known = Set(registered.map(Self.encoded))
        // What lies below one may have been protected by it from the rules around it.
        let doubtful = core.withLock { $0.doubtful }
        return (copied + doubtful).filter { !known.contains(Self.encoded($0)) }
    }

    /// What the copy says that is registered; nil if that cannot be told. Where there is none, nothing was registered.
    func copiedRegistrations() -> [Registration]? {
        guard let place else { return nil }
        var kept = LedgerState()
        do throws(Errno) {
            var copy = try CheckedLog(
                Self.copyName, in: place, kind: Self.copyKind, access: .reading)
            try copy.update(&kept)
            guard !copy.isIncomplete, kept.malformed == 0 else { return nil }
        } catch .noSuchFileOrDirectory {
            return []
        } catch {
            return nil
        }
        return kept.registrations
    }

    /// Writes to the copy what the ledger says now. On disk when it returns.
    ///
    /// A failure is among the ``notices`` and no more: the registration holds, and is copied at the next
    /// change or when the ledger is opened again.
    ///
    /// - Parameter changed: what was registered, or taken out, just now. Of all else the copy knows
    ///   better for 24 hours after the ledger was lost.
    func copyRegistrations(changed: FilePath? = nil) {
        guard !isReadOnly, isPersistent, let place else { return }
        guard place.contains(Self.copyName) || !registered.isEmpty else { return }
        do throws(Errno) {
            // While it is needed, nobody shall take what is not there for nothing.
            // mutation: s7b-4
            if !wasLost(shortlyBefore: now()) { try keepForeignCopy(in: place) }
            var copy = try CheckedLog(
                Self.copyName, in: place, kind: Self.copyKind, access: .writing)
            var kept = LedgerState()
            try copy.update(&kept)
            let isBroken = copy.isIncomplete || kept.malformed > 0
            // While it is needed, nobody shall take what is left of it for the whole.
            let isMended = isBroken && !wasLost(shortlyBefore: now())
            guard isMended || !changes(of: kept, changed).isEmpty else { return }
            try copy.append(synchronizing: true, &kept) {
                (current: inout LedgerState) throws(Errno) -> [LogRecord] in
                // Under the lock, so that of two processes the later one has seen what both wrote.
                let changes = self.changes(of: current, changed)
                for change in changes { current.apply(change) }
                return changes.map(\.encoded)
            }
            guard isMended || copy.wantsCompaction else { return }
            try copy.compact(&kept) { snapshot, state, _ in state.write(to: &snapshot) }
        } catch {
            let notice =
                "What is registered could not be written to \(Self.copyName) in "
                + "\(directory.displayText) as well: \(error). If the ledger is lost before that "
                + "is done, it is not known what to leave alone."
            core.withLock { core in
                if !core.notices.contains(notice) { core.notices.append(notice) }
            }
        }
    }

    private func keepForeignCopy(in place: StateDirectory) throws(Errno) {
        let aside = try CheckedLog.setAsideForeign(
            Self.copyName, in: place, kind: Self.copyKind,
            as: { place.asideName(for: Self.copyName, at: now()) })
        guard let aside else { return }
        core.withLock { core in
            core.notices.append(
                "\(Self.copyName) in \(directory.displayText) had no registrations that can be read. It is kept "
                    + "as \(aside).")
        }
    }

    /// What makes a copy say what the ledger does.
    private func changes(of kept: LedgerState, _ changed: FilePath?) -> [LedgerRecord] {
        let known = registered
        let isLost = wasLost(shortlyBefore: now())
        let before = Dictionary(
            kept.registrations.map { ($0.area.root, Self.encoded($0)) },
            uniquingKeysWith: { $1 })
        var changes: [LedgerRecord] = []
        for registration in known {
            let root = registration.area.root
            if let old = before[root] {
                if old == Self.encoded(registration) { continue }
                // An earlier one may have been read whose successor is lost.
                if isLost, root != changed { continue }
            }
            changes.append(.registration(registration))
        }
        let roots = Set(known.map(\.area.root))
        for old in kept.registrations where !roots.contains(old.area.root) {
            if isLost, old.area.root != changed { continue }
            changes.append(.unregistration(old.area.root))
        }
        return changes
    }

    static func encoded(_ registration: Registration) -> LogRecord {
        LedgerRecord.registration(registration).encoded
    }
}
