//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// One entry of the ledger's log. The raw values of `Kind` are the record types on disk.
enum LedgerRecord {
    case registration(Area)
    case unregistration(FilePath)
    case mark(MarkedFile)
    case noMark(FileKey)
    case use(FileKey, Timestamp)
    case firstSeen(FileKey, Timestamp)
    case forgotten(FileKey)
    case clock(ClockSample)
    case rebuilt(Timestamp)

    enum Kind: UInt8 {
        case registration = 1
        case unregistration = 2
        case mark = 3
        case noMark = 4
        case use = 5
        case firstSeen = 6
        case forgotten = 7
        case clock = 8
        case rebuilt = 9
    }

    // MARK: - To bytes

    var encoded: LogRecord {
        var writer = ByteWriter()
        let kind: Kind
        switch self {
        case .registration(let area):
            kind = .registration
            writer.area(area)
        case .unregistration(let root):
            kind = .unregistration
            writer.data(root.bytes)
        case .mark(let marked):
            kind = .mark
            writer.key(marked.key)
            writer.mark(marked.mark)
            writer.flag(marked.isDirectory)
            writer.data(marked.path.bytes)
        case .noMark(let key):
            kind = .noMark
            writer.key(key)
        case .use(let key, let time):
            kind = .use
            writer.key(key)
            writer.integer(time.nanoseconds)
        case .firstSeen(let key, let time):
            kind = .firstSeen
            writer.key(key)
            writer.integer(time.nanoseconds)
        case .forgotten(let key):
            kind = .forgotten
            writer.key(key)
        case .clock(let sample):
            kind = .clock
            writer.integer(sample.wall.nanoseconds)
            writer.duration(sample.sinceBoot)
            writer.integer(sample.boot)
        case .rebuilt(let time):
            kind = .rebuilt
            writer.integer(time.nanoseconds)
        }
        return LogRecord(kind.rawValue, writer.bytes)
    }

    // MARK: - From bytes

    init(_ kind: Kind, _ payload: ArraySlice<UInt8>) throws(ByteReader.Malformed) {
        var reader = ByteReader(payload)
        switch kind {
        case .registration: self = .registration(try reader.area())
        case .unregistration: self = .unregistration(FilePath(bytes: try reader.data()))
        case .mark:
            let key = try reader.key()
            let mark = try reader.mark()
            let isDirectory = try reader.flag()
            self = .mark(
                MarkedFile(
                    key: key, mark: mark, path: FilePath(bytes: try reader.data()),
                    isDirectory: isDirectory))
        case .noMark: self = .noMark(try reader.key())
        case .use: self = .use(try reader.key(), try reader.time())
        case .firstSeen: self = .firstSeen(try reader.key(), try reader.time())
        case .forgotten: self = .forgotten(try reader.key())
        case .clock:
            let wall = try reader.time()
            let sinceBoot = try reader.duration()
            self = .clock(
                ClockSample(wall: wall, sinceBoot: sinceBoot, boot: try reader.integer()))
        case .rebuilt: self = .rebuilt(try reader.time())
        }
    }
}

extension ByteWriter {
    mutating func key(_ key: FileKey) {
        integer(key.fileSystemID)
        integer(key.inode)
        integer(key.birth)
    }

    mutating func duration(_ duration: Duration) {
        integer(duration.components.seconds)
        integer(duration.components.attoseconds)
    }

    mutating func optional<T>(_ value: T?, _ body: (inout ByteWriter, T) -> Void) {
        flag(value != nil)
        if let value { body(&self, value) }
    }

    mutating func mark(_ mark: Mark) {
        optional(mark.purgeClass) { $0.integer($1.rawValue) }
        optional(mark.isPinned) { $0.flag($1) }
        optional(mark.importance) { $0.integer($1) }
        optional(mark.isExcludedFromBackup) { $0.flag($1) }
    }

    mutating func area(_ area: Area) {
        data(area.root.bytes)
        integer(area.purgeClass.rawValue)
        integer(area.unit.rawValue)
        optional(area.retention) { $0.duration($1) }
        integer(area.ageBasis.rawValue)
        optional(area.limit) { $0.integer($1.bytes) }
        integer(area.order.rawValue)
        integer(area.importance)
        text(area.origin)
        flag(area.allowsMountRoot)
    }
}

extension ByteReader {
    mutating func key() throws(Malformed) -> FileKey {
        FileKey(fileSystemID: try integer(), inode: try integer(), birth: try integer())
    }

    mutating func time() throws(Malformed) -> Timestamp { Timestamp(nanoseconds: try integer()) }

    mutating func duration() throws(Malformed) -> Duration {
        Duration(
            secondsComponent: try integer(), attosecondsComponent: try integer())
    }

    mutating func optional<T>(
        _ body: (inout ByteReader) throws(Malformed) -> T
    ) throws(Malformed) -> T? {
        try flag() ? try body(&self) : nil
    }

    /// A value of an enumeration; one that this version does not know is malformed to it.
    mutating func value<T: RawRepresentable<UInt8>>(_: T.Type = T.self) throws(Malformed) -> T {
        guard let value = T(rawValue: try integer(UInt8.self)) else { throw Malformed() }
        return value
    }

    mutating func mark() throws(Malformed) -> Mark {
        Mark(
            purgeClass: try optional { (reader) throws(Malformed) in try reader.value() },
            isPinned: try optional { (reader) throws(Malformed) in try reader.flag() },
            importance: try optional { (reader) throws(Malformed) in try reader.integer() },
            isExcludedFromBackup: try optional { (reader) throws(Malformed) in try reader.flag() })
    }

    mutating func area() throws(Malformed) -> Area {
        let root = FilePath(bytes: try data())
        let purgeClass: PurgeClass = try value()
        let unit: PurgeUnit = try value()
        let retention = try optional { (reader) throws(Malformed) in try reader.duration() }
        let ageBasis: AgeBasis = try value()
        let limit = try optional { (reader) throws(Malformed) -> ByteCount in
            ByteCount(try reader.integer())
        }
        let order: AreaOrder = try value()
        let importance: UInt8 = try integer()
        let origin = try text()
        return Area(
            root: root, purgeClass: purgeClass, unit: unit, retention: retention,
            ageBasis: ageBasis, limit: limit, order: order, importance: importance,
            origin: origin, allowsMountRoot: try flag())
    }
}
