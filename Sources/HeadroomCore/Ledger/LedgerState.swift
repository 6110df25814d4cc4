//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// What the ledger's log says, in memory.
struct LedgerState: LogReplay {
    /// In the order of their registration.
    private(set) var registrations: [Registration] = []
    private(set) var volumes: [UInt64: LedgerVolume] = [:]
    private(set) var clock: ClockSample?
    /// The last moves of the wall clock that were found, the oldest first.
    private(set) var clockMoves: [ClockMove] = []
    private(set) var launches: [LaunchKey: Launch] = [:]
    private(set) var rebuilt: Timestamp?
    /// Records of later versions, kept through compactions.
    private(set) var unknown: [LogRecord] = []
    /// Records with a good checksum and no sense.
    private(set) var malformed = 0
    /// What was known before the log was read from its beginning again; one at most.
    private var former: [LedgerState] = []

    mutating func restart() {
        // Of several beginnings the first goes on from what was known.
        let known = former.isEmpty ? [self] : former
        self = LedgerState()
        former = known
    }

    /// What was known before the log was read from its beginning again, if it was.
    mutating func takeFormer() -> LedgerState? { former.popLast() }

    /// Whether the log was read from its beginning again, and ``takeFormer()`` not asked since.
    var hasFormer: Bool { !former.isEmpty }

    mutating func removeRegistrations(where isGone: (Registration) -> Bool) {
        registrations.removeAll(where: isGone)
    }

    /// Adds what was told since, elsewhere.
    mutating func add(_ newer: LedgerState) {
        for record in newer.records { apply(record) }
        unknown += newer.unknown
    }

    mutating func record(_ type: UInt8, _ payload: ArraySlice<UInt8>, at offset: UInt64) {
        guard let kind = LedgerRecord.Kind(rawValue: type) else {
            unknown.append(LogRecord(type, Array(payload)))
            return
        }
        do {
            apply(try LedgerRecord(kind, payload))
        } catch {
            malformed += 1
        }
    }

    mutating func apply(_ record: LedgerRecord) {
        switch record {
        case .registration(let new):
            if let index = registrations.firstIndex(where: { $0.area.root == new.area.root }) {
                registrations[index] = new
            } else {
                registrations.append(new)
            }
        case .unregistration(let root): registrations.removeAll { $0.area.root == root }
        case .mark(let marked): change(marked.key) { $0.set(marked) }
        case .noMark(let key): change(key) { $0.removeMark(key) }
        case .use(let key, let time): change(key) { $0.use(key, at: time) }
        case .firstSeen(let key, let time): change(key) { $0.see(key, at: time) }
        case .forgotten(let key): change(key) { $0.forget(key) }
        case .clock(let sample): clock = sample
        case .rebuilt(let time): rebuilt = time
        case .clockMoved(let move):
            clockMoves = Array(clockMoves.suffix(Self.clockMoveLimit - 1)) + [move]
        case .launch(let launch): launches[LaunchKey(launch)] = launch
        }
    }

    /// The most moves of the clock that are kept.
    private static let clockMoveLimit = 32

    private mutating func change(_ key: FileKey, _ body: (inout LedgerVolume) -> Void) {
        let id = key.fileSystemID
        body(&volumes[id, default: LedgerVolume(fileSystemID: id)])
        if volumes[id]?.isEmpty == true { volumes[id] = nil }
    }

    /// The records that build this state, but those of later versions.
    private var records: [LedgerRecord] {
        var records = registrations.map(LedgerRecord.registration)
        for volume in volumes.values { records += volume.records }
        if let clock { records.append(.clock(clock)) }
        records += clockMoves.map(LedgerRecord.clockMoved)
        records += launches.values.map(LedgerRecord.launch)
        if let rebuilt { records.append(.rebuilt(rebuilt)) }
        return records
    }

    /// Writes the records that build this state.
    func write(to snapshot: inout LogSnapshot) {
        for record in records.lazy.map(\.encoded) {
            snapshot.append(record.type, record.payload)
        }
        for record in unknown { snapshot.append(record.type, record.payload) }
    }
}

/// By what launches are kept.
struct LaunchKey: Hashable {
    var owner: String
    var place: String
}

extension LaunchKey {
    init(_ launch: Launch) { self.init(owner: launch.owner, place: launch.place) }
}
