//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine

/// Which of some receipts can be undone: those of which something is in the trash still.
struct TrashedReceipts: Sendable {
    private var ids: Set<String> = []

    /// Looks into the trash, if one of the receipts may have something there. Blocks, up to two seconds where a
    /// volume does not answer.
    init(_ receipts: some Sequence<Receipt>, in workspace: Workspace) {
        guard receipts.contains(where: Self.mayBeThere) else { return }
        ids = Set(workspace.trash.list(measuring: false).items.compactMap(\.receipt))
    }

    func has(_ receipt: Receipt) -> Bool { Self.mayBeThere(receipt) && ids.contains(receipt.id) }

    private static func mayBeThere(_ receipt: Receipt) -> Bool {
        receipt.kind == .disposal && receipt.removedCount > 0
    }
}
