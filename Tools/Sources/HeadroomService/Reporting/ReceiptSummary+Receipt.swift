//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
import HeadroomPlatform
public import SystemPackage

extension ReceiptSummary {
    /// What a receipt comes to.
    ///
    /// - Parameter volume: where it is mounted; nil: it was about several.
    public init(_ receipt: Receipt, trigger: CleaningTrigger, volume: FilePath?) {
        self.init(
            id: receipt.id, time: receipt.ended ?? receipt.started, trigger: trigger.name,
            volume: volume?.displayText ?? "", expected: receipt.expected,
            // A volume that did not say gives no reason to doubt the plan.
            gained: receipt.volumeGained ?? receipt.expected, removedItems: receipt.removedCount,
            skippedItems: receipt.skippedCount,
            freedByClass: Dictionary(
                receipt.perClass.map { ($0.name, $0.bytes) }, uniquingKeysWith: +))
    }
}
