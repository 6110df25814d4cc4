//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

/// What the ledger knows about the files of one file system, as of one moment.
///
/// A value: a scan takes it once and asks from many threads without a lock. Ask per file only if
/// ``hasMarks``, ``hasUses`` or ``hasFirstSeen`` says that there is anything to be found.
public struct LedgerVolume: Sendable {
    public let fileSystemID: UInt64
    private var marks: [FileKey: MarkedFile] = [:]
    private var uses: [FileKey: Timestamp] = [:]
    private var seen: [FileKey: Timestamp] = [:]

    init(fileSystemID: UInt64) {
        self.fileSystemID = fileSystemID
    }

    public var hasMarks: Bool { !marks.isEmpty }
    public var hasUses: Bool { !uses.isEmpty }
    public var hasFirstSeen: Bool { !seen.isEmpty }
    public var isEmpty: Bool { !hasMarks && !hasUses && !hasFirstSeen }

    /// The mark that was recorded for a file; nil if there is none.
    public func mark(for key: FileKey) -> Mark? { marks[key]?.mark }

    /// The last use that was recorded, as against the file's own times.
    public func lastUse(for key: FileKey) -> Timestamp? { uses[key] }

    /// When the ledger first heard of the file; stands for the birth time where there is none.
    public func firstSeen(for key: FileKey) -> Timestamp? { seen[key] }

    /// All marked files and directories, in no particular order.
    ///
    /// - Complexity: O(*n*) in the number of marks.
    public var markedFiles: [MarkedFile] { Array(marks.values) }

    // MARK: - Changes

    mutating func set(_ marked: MarkedFile) { marks[marked.key] = marked }
    mutating func removeMark(_ key: FileKey) { marks[key] = nil }

    /// Keeps the latest: records of several processes may come in any order.
    mutating func use(_ key: FileKey, at time: Timestamp) {
        uses[key] = uses[key].map { max($0, time) } ?? time
    }

    /// Keeps the earliest.
    mutating func see(_ key: FileKey, at time: Timestamp) {
        seen[key] = seen[key].map { min($0, time) } ?? time
    }

    mutating func forget(_ key: FileKey) {
        marks[key] = nil
        uses[key] = nil
        seen[key] = nil
    }

    /// The records that build this value, one at a time.
    var records: some Sequence<LedgerRecord> {
        let parts: [AnySequence<LedgerRecord>] = [
            AnySequence(marks.values.lazy.map { .mark($0) }),
            AnySequence(uses.lazy.map { .use($0.key, $0.value) }),
            AnySequence(seen.lazy.map { .firstSeen($0.key, $0.value) }),
        ]
        return parts.lazy.joined()
    }
}

extension LedgerVolume {
    package func forEachUse(_ body: (FileKey, Timestamp) -> Void) {
        for (key, time) in uses { body(key, time) }
    }

    package func forEachSighting(_ body: (FileKey, Timestamp) -> Void) {
        for (key, time) in seen { body(key, time) }
    }
}
