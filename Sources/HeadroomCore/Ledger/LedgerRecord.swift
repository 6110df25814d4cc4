//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// One entry of the ledger's log. The raw values of `Kind` are the record types on disk.
enum LedgerRecord {
    case registration(Registration)
    case unregistration(FilePath)
    case mark(MarkedFile)
    case noMark(FileKey)
    case use(FileKey, Timestamp)
    case firstSeen(FileKey, Timestamp)
    case forgotten(FileKey)
    case clock(ClockSample)
    case rebuilt(Timestamp)
    case clockMoved(ClockMove)
    case launch(Launch)

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
        case clockMoved = 10
        case launch = 11
    }

    // MARK: - To bytes

    var encoded: LogRecord {
        var writer = ByteWriter()
        let kind: Kind
        switch self {
        case .registration(let registration):
            kind = .registration
            writer.registration(registration)
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
            writer.clock(sample)
        case .clockMoved(let move):
            kind = .clockMoved
            writer.clock(move.sample)
            writer.duration(move.shift)
        case .launch(let launch):
            kind = .launch
            writer.text(launch.owner)
            writer.text(launch.version)
            writer.integer(launch.cleaned.nanoseconds)
            writer.text(launch.place)
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
        case .registration: self = .registration(try reader.registration())
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
        case .clock: self = .clock(try reader.clock())
        case .clockMoved:
            let sample = try reader.clock()
            self = .clockMoved(ClockMove(sample: sample, shift: try reader.duration()))
        case .launch:
            let owner = try reader.text()
            let version = try reader.text()
            var launch = Launch(owner: owner, version: version, cleaned: try reader.time())
            // Before an owner's storages were told apart, there was no place.
            if !reader.isAtEnd { launch.place = try reader.text() }
            self = .launch(launch)
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

extension ByteWriter {
    mutating func clock(_ sample: ClockSample) {
        integer(sample.wall.nanoseconds)
        duration(sample.sinceBoot)
        integer(sample.boot)
    }

    mutating func registration(_ registration: Registration) {
        area(registration.area)
        integer(registration.area.trimPercent)
        optional(registration.owner) { $0.text($1) }
        optional(registration.container) { $0.data($1.bytes) }
        flag(registration.hasMark)
    }
}

extension ByteReader {
    mutating func clock() throws(Malformed) -> ClockSample {
        let wall = try time()
        let sinceBoot = try duration()
        return ClockSample(wall: wall, sinceBoot: sinceBoot, boot: try integer())
    }

    mutating func registration() throws(Malformed) -> Registration {
        var registration = Registration(try area())
        // Before there were purgeable directories, the area was all.
        if isAtEnd { return registration }
        registration.area.trimPercent = min(try integer(), 100)
        registration.owner = try optional { (reader) throws(Malformed) in try reader.text() }
        registration.container = try optional { (reader) throws(Malformed) in
            FilePath(bytes: try reader.data())
        }
        registration.hasMark = try flag()
        return registration
    }

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
