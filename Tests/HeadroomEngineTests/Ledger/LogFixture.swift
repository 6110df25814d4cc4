//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage

import HeadroomEngine

/// Keeps the records of a log as they came.
struct Recorder: LogReplay, Equatable {
    var records: [LogRecord] = []
    var offsets: [UInt64] = []
    var restarts = 0

    mutating func restart() {
        records = []
        offsets = []
        restarts += 1
    }

    mutating func record(_ type: UInt8, _ payload: ArraySlice<UInt8>, at offset: UInt64) {
        records.append(LogRecord(type, Array(payload)))
        offsets.append(offset)
    }
}

/// A directory with a log in it.
struct LogFixture {
    static let kind: UInt32 = 0x5453_4554
    let temporary: TemporaryDirectory
    let directory: StateDirectory

    init(on base: TemporaryDirectory.Base = .memory) throws {
        temporary = try TemporaryDirectory(on: base)
        directory = try StateDirectory(opening: temporary.path)
    }

    func log(_ access: CheckedLog.Access = .writing) throws -> CheckedLog {
        try CheckedLog("test.log", in: directory, kind: Self.kind, access: access)
    }

    func bytes(_ name: String = "test.log") throws -> [UInt8] {
        let file = try RegularFile(name, in: directory, .reading)
        return try file.read(Int(try file.size()), at: 0)
    }

    func replace(_ name: String = "test.log", by bytes: [UInt8]) throws {
        try RegularFile(name, in: directory, .replacing).write(bytes, at: 0)
    }

    func names() throws -> [String] { try temporary.tree.names().map(\.text).sorted() }

    /// Writes some records into a new log and returns them.
    func fill(_ records: [LogRecord]) throws {
        var log = try log()
        var recorder = Recorder()
        try log.append(records, synchronizing: false, &recorder)
    }

    /// What a fresh reader finds.
    func read(_ access: CheckedLog.Access = .reading) throws -> (Recorder, LogDamage) {
        var log = try log(access)
        var recorder = Recorder()
        try log.update(&recorder)
        return (recorder, log.wholeDamage)
    }
}

extension LogRecord {
    /// A record that is told from others by its number.
    static func sample(_ number: Int, length: Int = 5) -> LogRecord {
        LogRecord(UInt8(number % 200), (0..<length).map { UInt8(truncatingIfNeeded: number &* 31 + $0) })
    }
}
