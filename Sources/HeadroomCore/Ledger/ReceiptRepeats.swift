//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// The purges that ended as an earlier one did, which one receipt stands for.
struct ReceiptRepeats: Hashable, Sendable {
    /// Beside the first.
    var count: Int64
    /// When the latest one started.
    var latest: Timestamp

    /// A receipt stands for purges within this time after it.
    static let window = Duration.seconds(86_400)

    /// A sentence for the notes of the receipt.
    var note: String {
        let purges = count == 1 ? "1 more purge" : "\(count) more purges"
        return "\(purges) until \(latest.iso8601) ended the same way."
    }
}

extension Receipt {
    /// Whether a later purge by the same requester ended as this one did, and deleted nothing either: one
    /// receipt is enough for both.
    func stands(for other: Receipt) -> Bool {
        deletedNothing && other.deletedNothing && kind == other.kind && outcome == other.outcome
            && requester == other.requester && notes == other.notes
            && skippedCount == other.skippedCount
            && skipped.lazy.map(\.path).elementsEqual(other.skipped.lazy.map(\.path))
            && skipped.lazy.map(\.reason.code).elementsEqual(other.skipped.lazy.map(\.reason.code))
            && other.started >= started
            // mutation: r22c-1
            && other.started.duration(since: started) < ReceiptRepeats.window
    }

    private var deletedNothing: Bool {
        kind == .purge && outcome != .crashed && outcome != .started && skippedCount > 0
            && removedCount == 0 && emptiedCount == 0 && removed.isEmpty && expected == .zero
            && differences.isEmpty
    }

    /// The receipt, with a note on the purges that it also stands for.
    func adding(_ repeats: ReceiptRepeats?) -> Receipt {
        guard let repeats else { return self }
        var receipt = self
        receipt.notes.append(repeats.note)
        return receipt
    }

    /// Shortens the lists to their first entries.
    ///
    /// - Parameter includingRemoved: also shortens the lists of deleted items and directories.
    mutating func shorten(includingRemoved: Bool) {
        let count = Self.shortenedCount
        var left = max(0, skipped.count - count)
        skipped = Array(skipped.prefix(count))
        if includingRemoved, kind == .purge {
            left += max(0, removed.count - count) + max(0, perDirectory.count - count)
            removed = Array(removed.prefix(count))
            perDirectory = Array(perDirectory.prefix(count))
        }
        guard left > 0 else { return }
        notes.append(
            "\(left) more lines were left out: the receipts of this day are longer than "
                + "\(ByteCount(Int64(ReceiptStore.dailyDetail))).")
    }

    /// The entries that a shortened list keeps.
    static let shortenedCount = 20
}
