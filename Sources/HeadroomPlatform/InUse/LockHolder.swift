//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Who holds a lock of a ``LockBook``, as it stands in the lock file.
package struct LockHolder: Hashable, Sendable {
    package let process: Int32
    /// In clock ticks since boot: tells the process from a later one with its number.
    package let startTime: UInt64
    /// Since when, in nanoseconds since 1970; 0: unknown.
    package let since: Int64
    /// `purge` or `lease`; empty: unknown.
    package let purpose: String
    /// The path of the area as its holder knows it.
    package let root: [UInt8]

    package init(
        process: Int32, startTime: UInt64, since: Int64, purpose: String, root: [UInt8]
    ) {
        self.process = process
        self.startTime = startTime
        self.since = since
        self.purpose = purpose
        self.root = root
    }

    /// This process.
    package init(purpose: String, since: Timestamp, root: [UInt8]) {
        let own = RunningProcess.own
        self.init(
            process: own, startTime: RunningProcess.startTime(of: own) ?? 0,
            since: since.nanoseconds, purpose: purpose, root: root)
    }

    /// Whether the process still runs, as far as can be seen from here.
    package var isAlive: Bool {
        RunningProcess.startTime(of: process) == startTime
    }

    /// Four numbers or words and the path, one a line; the path comes last, as it may hold newlines.
    var bytes: [UInt8] {
        Array("headroom 1\n\(process)\n\(startTime)\n\(since)\n\(purpose)\n".utf8) + root + [0x0A]
    }

    /// - Returns: nil if the bytes are not such a text.
    init?(_ bytes: [UInt8]) {
        let fields = bytes.split(separator: 0x0A, maxSplits: 5, omittingEmptySubsequences: false)
        guard fields.count == 6, fields[0].elementsEqual("headroom 1".utf8),
            let process = Int32(String(decoding: fields[1], as: UTF8.self)), process > 0,
            let start = UInt64(String(decoding: fields[2], as: UTF8.self)),
            let since = Int64(String(decoding: fields[3], as: UTF8.self)),
            fields[5].last == 0x0A
        else { return nil }
        self.init(
            process: process, startTime: start, since: since,
            purpose: String(decoding: fields[4], as: UTF8.self), root: Array(fields[5].dropLast()))
    }
}
