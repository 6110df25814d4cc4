//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import CHeadroomShims
import Glibc
import SystemPackage

/// One of the kernel's interfaces for change notification: a descriptor that events are read from.
///
/// Not thread-safe: QueueWatch has it to itself while it calls.
protocol EventSource: Sendable {
    static var mechanism: WatchMechanism { get }
    /// Does not block when it is read.
    var descriptor: Int32 { get }

    mutating func add(_ directory: Int32, as id: UInt32) throws(Errno)
    mutating func remove(_ id: UInt32)

    /// Takes in a buffer of events as read(2) has filled it.
    ///
    /// - Returns: the number of events.
    mutating func parse(
        _ events: UnsafeRawBufferPointer, into collector: inout ChangeCollector
    ) -> Int
}

/// Which directories something stands for: nearly always one, two where a directory is seen by two
/// ways.
struct WatchIDs<Key: Hashable & Sendable>: Sendable {
    private var first: [Key: UInt32] = [:]
    private var others: [Key: [UInt32]] = [:]
    private var keys: [UInt32: Key] = [:]

    mutating func add(_ id: UInt32, for key: Key) {
        if let known = first[key], known != id {
            others[key, default: []].append(id)
        } else {
            first[key] = id
        }
        keys[id] = key
    }

    func contains(_ key: Key) -> Bool { first[key] != nil }

    /// - Returns: the key, if nothing else stands for it.
    mutating func remove(_ id: UInt32) -> Key? {
        guard let key = keys.removeValue(forKey: id) else { return nil }
        var rest = others.removeValue(forKey: key) ?? []
        if first[key] == id {
            first[key] = rest.popLast()
        } else {
            rest.removeAll { $0 == id }
        }
        if !rest.isEmpty { others[key] = rest }
        return first[key] == nil ? key : nil
    }

    /// Forgets a key, and all that it stands for.
    mutating func remove(_ key: Key) {
        for id in [first.removeValue(forKey: key)].compactMap({ $0 }) + (others[key] ?? []) {
            keys[id] = nil
        }
        others[key] = nil
    }

    @inline(__always)
    func forEach(_ key: Key, _ body: (UInt32) -> Void) {
        guard let id = first[key] else { return }
        body(id)
        if !others.isEmpty, let rest = others[key] { rest.forEach(body) }
    }
}
#endif
