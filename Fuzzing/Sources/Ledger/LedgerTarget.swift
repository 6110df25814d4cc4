//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform

/// The ledger's log: the bytes as they are, and records of any content with checksums that are right.
struct LedgerTarget: FuzzTarget {
    static let name = "ledger"
    private let scratch: Scratch

    init() throws { scratch = try Scratch(Self.name) }

    func run(_ bytes: [UInt8]) {
        read(LogMaker(bytes, kind: 0x4744_454C).bytes, "ledger.log")
        read(bytes, "ledger.log")
        scratch.remove("ledger.log")
        read(LogMaker(bytes, kind: 0x5450_4352).bytes, "receipts.log")
        scratch.remove("receipts.log")
    }

    private func read(_ bytes: [UInt8], _ name: String) {
        do {
            try scratch.write(bytes, to: name)
        } catch {
            require(false, "the scratch directory: \(error)")
        }
        let ledger = Ledger.open(directory: scratch.path, readOnly: true) {
            Timestamp(seconds: 1_800_000_000)
        }
        _ = ledger.registrations.count
        _ = ledger.markedFiles.count
        for receipt in (try? ledger.receipts(last: 100)) ?? [] { _ = receipt.id }
    }
}
