//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

// For a day after the ledger was lost, what only it protected is left alone: what was registered, by its
// copy; marks where no file can carry them; and what is young by a use that was recorded, by leaving all
// ages out.
extension Workspace {
    /// Whether the ledger was lost, or a part of it, less than 24 hours ago.
    var hasLostLedger: Bool { ledger.wasLost(shortlyBefore: clock()) }

    /// What was registered when the ledger was lost and has not been since, as what nothing goes from.
    func lostAreas() -> [Area] {
        // Where it cannot be told, everything is left alone.
        (ledger.lostRegistrations(at: clock()) ?? []).map { lost in
            Area(
                root: lost.area.root, purgeClass: .essential,
                origin: "registered before the ledger was lost")
        }
    }

    /// What people are told of such an area.
    static func note(onLost area: Area) -> Reason {
        Reason(
            .layout,
            "\(area.root.displayText) was registered in the ledger that was lost: nothing in it goes "
                + "until 24 hours after the ledger was rebuilt. Register it again before that, or it "
                + "is treated as a part of what it lies in.")
    }

    /// Why nothing goes by its age.
    static let noteOnAges = Reason(
        .layout,
        "Nothing goes by its age until 24 hours after the ledger was rebuilt: what it knew of the use "
            + "of files was lost with it.")

    /// Why nothing in a place goes, though something is declared there; nil: it may.
    func graceNote(for path: FilePath) -> Reason? {
        guard hasLostLedger else { return nil }
        let why: String
        if ledger.lostRegistrations(at: clock()) == nil {
            why = "what was registered is not known, since its copy is damaged too."
        } else if !AttributeSupport.isAvailable(at: path) {
            why = "its file system keeps no attributes, so marks there were recorded in it alone."
        } else {
            return nil
        }
        return Reason(
            .layout,
            "\(path.displayText) is left alone until 24 hours after the ledger was rebuilt: \(why)")
    }
}
