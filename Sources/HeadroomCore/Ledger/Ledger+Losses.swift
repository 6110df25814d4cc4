//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SystemPackage

// A log that was lost while it was open is written anew with what this process knew. Others may have told more
// meanwhile, so that it counts as rebuilt, and what only it protected is left alone for 24 hours.
extension Ledger {
    /// What the log still has to be told after a loss.
    struct Rebuild {
        /// The log says that it was rebuilt.
        var isTold = false
        /// How often it could not be written since.
        var failures = 0
        /// So many calls are let go by before the next try: the usual reason is a full volume.
        var calls = 0
    }

    private static let mostCallsBetweenTries = 16

    /// Keeps what was known before the log was lost, and writes it.
    ///
    /// - Parameter told: what was written just now; it holds whatever was known before.
    func keepWhatIsKnown(_ core: inout Core, told: [LedgerRecord] = []) {
        // Who only reads is told what the log says.
        guard core.state.hasFormer || core.rebuild != nil, !isReadOnly else {
            _ = core.state.takeFormer()
            return
        }
        if let former = core.state.takeFormer() {
            // Another was first, if it says so: it knew what it knew.
            let isAnswered = core.state.rebuilt != nil && core.state.rebuilt != former.rebuilt
            let isLost = core.log?.takeLoss() == true && !isAnswered
            if isLost {
                core.rebuild = Rebuild()
                core.notices.append(
                    "The ledger of \(directory.displayText) was lost while it was in use; it is written anew with "
                        + "what was known. What only it protected is left alone for 24 hours.")
            }
            // What is not yet written would be lost with any snapshot of another's.
            if core.rebuild != nil {
                let standing = Set((copiedRegistrations() ?? []).map(Self.encoded))
                core.doubtful += former.registrations.filter {
                    !standing.contains(Self.encoded($0))
                }
                core.state = merged(former, core.state, told, isLost: isLost) {
                    standing.contains(Self.encoded($0))
                }
            }
        }
        if core.rebuild != nil { writeWhatIsKnown(&core) }
    }

    private func merged(
        _ former: LedgerState, _ current: LedgerState, _ told: [LedgerRecord], isLost: Bool,
        where isStanding: (Registration) -> Bool
    ) -> LedgerState {
        var known = former
        // A registration is permission to delete. Another may have taken it back since we looked; its copy says so.
        known.removeRegistrations { !isStanding($0) }
        known.add(current)
        // What was removed just now is in neither.
        for record in told { known.apply(record) }
        if isLost { known.apply(.rebuilt(now())) }
        return known
    }

    private func writeWhatIsKnown(_ core: inout Core) {
        guard var rebuild = core.rebuild, let loss = core.state.rebuilt else { return }
        guard rebuild.calls == 0 else {
            core.rebuild?.calls -= 1
            return
        }
        do throws(Errno) {
            if !rebuild.isTold {
                // First, should there be no room for the rest.
                try core.log?.append(
                    [LedgerRecord.rebuilt(loss).encoded], synchronizing: true, &core.state)
                rebuild.isTold = true
            }
            // Where the log was read anew meanwhile, the next call has to put together what both say.
            if !core.state.hasFormer,
                try core.log?.compact(
                    &core.state, where: { state, _ in !state.hasFormer },
                    { snapshot, state, _ in state.write(to: &snapshot) }) == true
            {
                core.rebuild = nil
                return
            }
        } catch {
            if rebuild.failures == 0 {
                core.notices.append(
                    "The ledger in \(directory.displayText) could not be written whole again yet: \(error). What is "
                        + "known is kept in memory, and it is tried again.")
            }
            rebuild.failures += 1
            rebuild.calls = min(rebuild.failures, Self.mostCallsBetweenTries)
        }
        core.rebuild = rebuild
    }
}
