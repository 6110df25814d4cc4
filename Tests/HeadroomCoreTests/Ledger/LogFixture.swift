//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage

/// A log together with what was read from it.
final class LogHandle {
    private var log: CheckedLog
    private(set) var recorder = Recorder()

    init(_ log: consuming CheckedLog) {
        self.log = log
    }

    var wasCreated: Bool { log.wasCreated }
    var damage: LogDamage { log.wholeDamage }
    var watch: LogWatch { log.watch }

    /// Does not wait for locks.
    func losePatience() { log.patience = .zero }

    func update() throws(Errno) { try log.update(&recorder) }

    /// Appends, and records what was appended as every owner of a log does.
    func append(_ records: [LogRecord], synchronizing: Bool = false) throws(Errno) {
        try log.append(records, synchronizing: synchronizing, &recorder)
        for record in records { recorder.record(record.type, record.payload[...], at: 0) }
    }

    /// Compacts to the last records.
    func compact(keeping count: Int = .max, settingAside aside: String? = nil) throws(Errno) {
        try log.compact(settingAside: aside, &recorder) { snapshot, state, _ in
            for record in state.records.suffix(count) {
                snapshot.append(record.type, record.payload)
            }
        }
    }

    func payload(at offset: UInt64) throws(Errno) -> [UInt8]? { try log.payload(at: offset) }
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

    func log(_ access: CheckedLog.Access = .writing) throws -> LogHandle {
        LogHandle(
            try CheckedLog("test.log", in: directory, kind: Self.kind, access: access))
    }

    func bytes(_ name: String = "test.log") throws -> [UInt8] {
        try directory.bytes(ofLog: name)
    }

    func replace(_ name: String = "test.log", by bytes: [UInt8]) throws {
        try RegularFile(name, in: directory, .replacing).write(bytes, at: 0)
    }

    func names() throws -> [String] { try temporary.tree.names().map(\.text).sorted() }

    /// Writes some records into a new log and returns them.
    func fill(_ records: [LogRecord]) throws {
        try log().append(records)
    }

    /// What a fresh reader finds.
    func read(_ access: CheckedLog.Access = .reading) throws -> (Recorder, LogDamage) {
        let log = try log(access)
        try log.update()
        return (log.recorder, log.damage)
    }
}
