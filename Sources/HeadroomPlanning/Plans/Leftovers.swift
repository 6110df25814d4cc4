//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
package import HeadroomInventory
import HeadroomPlatform

// What an interrupted purge has left: a directory unit under its reserved name, whole or in part. It
// is known by that name alone, whatever became of the ledger, and goes with every plan that may
// spend its class (safety invariant S6). Within another unit it is content like any other.
extension CandidateBuilder {
    /// Adds a leftover, selected: it was decided on before.
    ///
    /// Its class is that of its area and of the marks in it; one that a plan may not spend, or in
    /// which something is pinned, stays for the reason that is told.
    mutating func addLeftover(_ number: UInt32, _ record: DirectoryRecord) {
        let isShared =
            record.parent != DirectoryRecord.none
            && inventory.directories[Int(record.parent)].flags.contains(.sticky)
        let survey = UnitSurvey(
            number, in: inventory, request: request, ownOnly: isShared || isForeign(number))
        var blocker = survey.blocker
        // Anybody who may write there can give a directory such a name.
        if record.owner != request.user, request.user != 0 { blocker = blocker ?? .foreignOwner }
        guard blocker == nil, let terms = terms(of: record, number, mark: survey.mark) else {
            return list.kept.add(blocker ?? .essential, bytes: record.totals.allocated)
        }
        var candidate = makeCandidate(
            number, kind: .directory, survey.newest, bytes: survey.bytes, terms)
        candidate.flags.insert(.selected)
        list.unitInodes[number] = survey.inodes
        list.candidates.append(candidate)
    }
}

extension Candidate {
    /// Whether it is what an interrupted purge has left under a reserved name.
    package func isLeftover(in inventory: Inventory) -> Bool {
        kind == .directory
            && inventory.directories[Int(number)].name.withEntryName { ReservedName.matches($0) }
    }
}

extension Reason.Code {
    /// Left over from a purge that was cut off in the middle of a directory.
    public static let interruptedPurge = Reason.Code("interrupted-purge")
}
