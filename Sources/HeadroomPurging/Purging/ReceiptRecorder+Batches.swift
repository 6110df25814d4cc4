//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlanning
import HeadroomPlatform

// What the journal is told: the difference since it was told last.
extension ReceiptRecorder {
    /// How far the journal has been told.
    struct Told {
        var removed = 0
        var skipped = 0
        var classes: [PlannedClass: Receipt.Total] = [:]
        var items = 0
    }

    /// How many items have gone or stayed since the last batch.
    var untoldCount: Int { goneAndKept - told.items }

    private var goneAndKept: Int {
        receipt.removedCount + receipt.emptiedCount + receipt.skippedCount
    }

    /// What has happened since the last batch.
    ///
    /// - Parameter gained: what the volumes have gained since the start.
    mutating func takeBatch(
        going: [PurgeBatch.Rename] = [], gained: ByteCount? = nil
    ) -> PurgeBatch {
        closeRow()
        let removed = PlannedClass.allCases.compactMap { purgeClass -> Receipt.Total? in
            guard let total = classTotals[purgeClass] else { return nil }
            let before = told.classes[purgeClass]
            let count = total.count - (before?.count ?? 0)
            let bytes = total.bytes - (before?.bytes ?? .zero)
            guard count > 0 || bytes > .zero else { return nil }
            return Receipt.Total(name: total.name, bytes: bytes, count: count)
        }
        let batch = PurgeBatch(
            removed: removed, removedItems: Array(receipt.removed[told.removed...]),
            skipped: Array(receipt.skipped[told.skipped...]), going: going, gained: gained)
        noteTold()
        return batch
    }

    /// The journal knows all that has happened until now.
    mutating func noteTold() {
        told = Told(
            removed: receipt.removed.count, skipped: receipt.skipped.count, classes: classTotals,
            items: goneAndKept)
    }
}
