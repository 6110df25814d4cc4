//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What SQLite writes at the beginning of its files: https://www.sqlite.org/fileformat2.html,
// https://www.sqlite.org/walformat.html.
extension Sidecar {
    /// How far what a file begins with says that SQLite keeps it beside a database.
    enum Likeness {
        /// It is something else.
        case none
        /// It says nothing against it: it is empty, or its header was wiped or has no signature.
        case possible
        /// Nothing else begins so.
        case certain
    }

    /// - Parameter head: the first eight bytes; fewer only if the file is shorter.
    func likeness(of head: [UInt8]) -> Likeness {
        // Emptied when a transaction has ended (`journal_mode=truncate`), or with a log that is all in.
        if head.isEmpty { return .possible }
        switch self {
        case .journal:
            if head.starts(with: Self.journalSignature) { return .certain }
            // Wiped when a transaction has ended (`journal_mode=persist`).
            return head.starts(with: repeatElement(0, count: 8)) ? .possible : .none
        case .writeAheadLog:
            return Self.logSignatures.contains { head.starts(with: $0) } ? .certain : .none
        case .sharedMemory:
            return Self.indexVersions.contains { head.starts(with: $0) } ? .possible : .none
        }
    }

    private static let journalSignature: [UInt8] = [
        0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7,
    ]

    private static let logSignatures: [[UInt8]] = [
        [0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83],
    ]

    /// The version 3007000 in the order of either machine; zeros until a connection has written it.
    private static let indexVersions: [[UInt8]] = [
        [0x18, 0xE2, 0x2D, 0x00], [0x00, 0x2D, 0xE2, 0x18], [0, 0, 0, 0],
    ]
}
