//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

extension Receipt {
    /// The receipt as a record's payload, within the limits of R22 and well below those of a record.
    func encoded() -> [UInt8] {
        var copy = self
        copy.bound()
        var writer = ByteWriter()
        writer.text(copy.id)
        writer.integer(copy.started.nanoseconds)
        writer.optional(copy.ended) { $0.integer($1.nanoseconds) }
        writer.text(copy.outcome.rawValue)
        writer.text(copy.requester)
        writer.text(copy.target)
        writer.integer(copy.expected.bytes)
        writer.optional(copy.volumeGained) { $0.integer($1.bytes) }
        writer.list(copy.differences) { $0.text($1) }
        writer.integer(Int64(copy.removedCount))
        writer.integer(Int64(copy.skippedCount))
        for totals in [copy.perClass, copy.perArea, copy.perDirectory] {
            writer.list(totals) { $0.total($1) }
        }
        writer.list(copy.removed) { $0.removed($1) }
        writer.list(copy.skipped) { $0.skipped($1) }
        writer.list(copy.notes) { $0.text($1) }
        writer.integer(Int64(copy.emptiedCount))
        if copy.kind != .purge || !copy.trashed.isEmpty { writer.text(copy.kind.rawValue) }
        if !copy.trashed.isEmpty { writer.list(copy.trashed) { $0.trashed($1) } }
        return writer.bytes
    }

    init(encoded payload: ArraySlice<UInt8>) throws(ByteReader.Malformed) {
        var reader = ByteReader(payload)
        let (id, started) = try reader.receiptHead()
        let ended = try reader.optional { (reader) throws(ByteReader.Malformed) in
            try reader.time()
        }
        guard let outcome = Outcome(rawValue: try reader.text()) else {
            throw ByteReader.Malformed()
        }
        let requester = try reader.text()
        self.init(id: id, started: started, requester: requester, target: try reader.text())
        self.ended = ended
        self.outcome = outcome
        expected = ByteCount(try reader.integer())
        volumeGained = try reader.optional { (reader) throws(ByteReader.Malformed) -> ByteCount in
            ByteCount(try reader.integer())
        }
        differences = try reader.texts()
        removedCount = Int(clamping: try reader.integer(Int64.self))
        skippedCount = Int(clamping: try reader.integer(Int64.self))
        perClass = try reader.totals()
        perArea = try reader.totals()
        perDirectory = try reader.totals()
        removed = try reader.removedItems()
        skipped = try reader.skippedItems()
        notes = try reader.texts()
        emptiedCount = Int(clamping: try reader.integer(Int64.self))
        // Left out of receipts of purges, as it is in those of the first versions.
        guard !reader.isAtEnd else { return }
        guard let kind = Kind(rawValue: try reader.text()) else { throw ByteReader.Malformed() }
        self.kind = kind
        // Left out where no system's trash was used, and by the first versions.
        guard !reader.isAtEnd else { return }
        trashed = try reader.trashedItems()
    }

    /// Cuts the lists to their limits, and says so where the lists alone would not show it.
    mutating func bound() {
        perDirectory = Array(perDirectory.prefix(Self.directoryLimit))
        removed = Array(removed.prefix(Self.removedPathLimit))
        skipped = Array(skipped.prefix(Self.skippedPathLimit))
        // Paths may be of any length; a record may not.
        let removedFit = Self.fitting(removed, 4 << 20) { $0.path.length + 12 }
        let skippedFit = Self.fitting(skipped, 6 << 20) {
            $0.path.length + $0.reason.text.utf8.count + 40
        }
        let areasFit = Self.fitting(perArea, 1 << 20) { $0.name.utf8.count + 20 }
        let directoriesFit = Self.fitting(perDirectory, 1 << 20) { $0.name.utf8.count + 20 }
        let differencesFit = Self.fitting(differences, 1 << 18) { $0.utf8.count + 4 }
        let notesFit = Self.fitting(notes, 1 << 18) { $0.utf8.count + 4 }
        let trashedFit = Self.fitting(trashed, 2 << 20) { $0.path.length + $0.place.length + 25 }
        let left =
            (removed.count - removedFit) + (skipped.count - skippedFit)
            + (perArea.count - areasFit) + (perDirectory.count - directoriesFit)
            + (differences.count - differencesFit) + (notes.count - notesFit)
            + (trashed.count - trashedFit)
        guard left > 0 else { return }
        removed.removeLast(removed.count - removedFit)
        skipped.removeLast(skipped.count - skippedFit)
        perArea.removeLast(perArea.count - areasFit)
        perDirectory.removeLast(perDirectory.count - directoriesFit)
        differences.removeLast(differences.count - differencesFit)
        notes.removeLast(notes.count - notesFit)
        trashed.removeLast(trashed.count - trashedFit)
        notes.append("\(left) more lines did not fit into the record of this receipt.")
    }

    private static func fitting<T>(_ list: [T], _ budget: Int, _ size: (T) -> Int) -> Int {
        var left = budget
        return list.firstIndex { element in
            left -= size(element)
            return left < 0
        } ?? list.count
    }
}

extension ByteWriter {
    mutating func total(_ total: Receipt.Total) {
        text(total.name)
        integer(total.bytes.bytes)
        integer(Int64(total.count))
    }

    mutating func removed(_ removed: Receipt.Removed) {
        data(removed.path.bytes)
        integer(removed.bytes.bytes)
    }

    mutating func skipped(_ skipped: Receipt.Skipped) {
        data(skipped.path.bytes)
        text(skipped.reason.code.description)
        text(skipped.reason.text)
    }
}

extension ByteReader {
    /// What a receipt begins with; enough for an index.
    mutating func receiptHead() throws(Malformed) -> (id: String, started: Timestamp) {
        (try text(), try time())
    }

    mutating func texts() throws(Malformed) -> [String] {
        try list { (reader) throws(Malformed) in try reader.text() }
    }

    mutating func totals() throws(Malformed) -> [Receipt.Total] {
        try list { (reader) throws(Malformed) in
            let name = try reader.text()
            let bytes = ByteCount(try reader.integer())
            return Receipt.Total(
                name: name, bytes: bytes, count: Int(clamping: try reader.integer(Int64.self)))
        }
    }

    mutating func removedItems() throws(Malformed) -> [Receipt.Removed] {
        try list { (reader) throws(Malformed) in
            let path = FilePath(bytes: try reader.data())
            return Receipt.Removed(path: path, bytes: ByteCount(try reader.integer()))
        }
    }

    mutating func skippedItems() throws(Malformed) -> [Receipt.Skipped] {
        try list { (reader) throws(Malformed) in
            let path = FilePath(bytes: try reader.data())
            let code = Reason.Code(try reader.text())
            return Receipt.Skipped(path: path, reason: Reason(code, try reader.text()))
        }
    }
}
