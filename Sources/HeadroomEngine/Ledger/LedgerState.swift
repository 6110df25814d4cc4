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
    /// When the wall clock was last found to have been moved.
    private(set) var clockMoved: ClockSample?
    private(set) var launches: [LaunchKey: Launch] = [:]
    private(set) var rebuilt: Timestamp?
    /// Records of later versions, kept through compactions.
    private(set) var unknown: [LogRecord] = []
    /// Records with a good checksum and no sense.
    private(set) var malformed = 0

    mutating func restart() { self = LedgerState() }

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
        case .clockMoved(let sample): clockMoved = sample
        case .launch(let launch): launches[LaunchKey(launch)] = launch
        }
    }

    private mutating func change(_ key: FileKey, _ body: (inout LedgerVolume) -> Void) {
        let id = key.fileSystemID
        body(&volumes[id, default: LedgerVolume(fileSystemID: id)])
        if volumes[id]?.isEmpty == true { volumes[id] = nil }
    }

    /// Writes the records that build this state.
    func write(to snapshot: inout LogSnapshot) {
        func write(_ record: LedgerRecord, _ snapshot: inout LogSnapshot) {
            let encoded = record.encoded
            snapshot.append(encoded.type, encoded.payload)
        }
        for registration in registrations { write(.registration(registration), &snapshot) }
        for volume in volumes.values {
            for record in volume.records { write(record, &snapshot) }
        }
        if let clock { write(.clock(clock), &snapshot) }
        if let clockMoved { write(.clockMoved(clockMoved), &snapshot) }
        for launch in launches.values { write(.launch(launch), &snapshot) }
        if let rebuilt { write(.rebuilt(rebuilt), &snapshot) }
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
