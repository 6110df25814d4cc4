//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
public import SystemPackage

/// What happened since a purge's last batch, and what it is about to do.
public struct PurgeBatch: Hashable, Sendable {
    /// What went since the last batch, per class.
    public var removed: [Receipt.Total]
    /// The items that went; only the first 1,000 of a purge are kept.
    public var removedItems: [Receipt.Removed]
    /// What stayed since the last batch; only the first 10,000 of a purge are kept.
    public var skipped: [Receipt.Skipped]
    /// The directory units that are renamed and removed next.
    public var going: [Rename]
    /// What the volumes have gained since the purge began; nil if they do not say.
    public var gained: ByteCount?

    /// A directory unit that goes: its name, and the reserved one it is given first.
    public struct Rename: Hashable, Sendable {
        public var directory: FilePath
        public var original: FileName
        public var reserved: FileName

        public init(directory: FilePath, original: FileName, reserved: FileName) {
            self.directory = directory
            self.original = original
            self.reserved = reserved
        }
    }

    public init(
        removed: [Receipt.Total] = [], removedItems: [Receipt.Removed] = [],
        skipped: [Receipt.Skipped] = [], going: [Rename] = [], gained: ByteCount? = nil
    ) {
        self.gained = gained
        self.removed = removed
        self.removedItems = removedItems
        self.skipped = skipped
        self.going = going
    }
}

extension ByteWriter {
    mutating func batch(_ batch: PurgeBatch, skippedCount: Int) {
        list(batch.removed) { $0.total($1) }
        integer(Int64(skippedCount))
        list(batch.removedItems) { $0.removed($1) }
        list(batch.skipped) { $0.skipped($1) }
        list(batch.going) { writer, rename in
            writer.data(rename.directory.bytes)
            writer.data(rename.original.bytes)
            writer.data(rename.reserved.bytes)
        }
        gained(batch.gained)
    }
}

extension ByteReader {
    mutating func batch() throws(Malformed) -> (PurgeBatch, skippedCount: Int) {
        let removed = try totals()
        let skippedCount = Int(clamping: try integer(Int64.self))
        let removedItems = try self.removedItems()
        let skipped = try skippedItems()
        let going = try list { (reader) throws(Malformed) in
            let directory = FilePath(bytes: try reader.data())
            guard let original = FileName(try reader.data()),
                let reserved = FileName(try reader.data())
            else { throw Malformed() }
            return PurgeBatch.Rename(
                directory: directory, original: original, reserved: reserved)
        }
        return (
            PurgeBatch(
                removed: removed, removedItems: removedItems, skipped: skipped, going: going,
                gained: try gained()),
            skippedCount
        )
    }
}
