//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
package import SystemPackage

/// The records of a log's next generation, while they are written.
package struct LogSnapshot: ~Copyable {
    private let file: RegularFile
    private let generation: UInt32
    /// The log that it replaces, and how far its records are good.
    package let replaced: (file: FileIdentity, end: UInt64)
    private var pending: [UInt8] = []
    private var offset = UInt64(LogHeader.size)
    private var failure: Errno?

    init(
        _ file: consuming RegularFile, generation: UInt32,
        replacing replaced: (file: FileIdentity, end: UInt64)
    ) {
        self.file = file
        self.generation = generation
        self.replaced = replaced
    }

    /// Writes a record. Errors come out of the compaction.
    package mutating func append(_ type: UInt8, _ payload: [UInt8]) {
        LogFrame.append(
            type, payload, generation: generation, at: offset + UInt64(pending.count),
            to: &pending)
        if pending.count >= 1 << 20 { flush() }
    }

    private mutating func flush() {
        guard failure == nil else {
            pending.removeAll()
            return
        }
        do {
            try file.write(pending, at: offset)
            offset += UInt64(pending.count)
        } catch {
            failure = error
        }
        pending.removeAll(keepingCapacity: true)
    }

    /// Writes the header and returns the file, which is on disk then.
    consuming func finish(kind: UInt32) throws(Errno) -> RegularFile {
        flush()
        if let failure { throw failure }
        let header = LogHeader(kind: kind, generation: generation, snapshotEnd: offset)
        try file.write(header.bytes, at: 0)
        try file.synchronize()
        return file
    }
}

extension CheckedLog {
    /// Replaces the log by a new generation with the records that `body` writes.
    ///
    /// `replay` is brought up to date before and stays as it is. Others notice the new generation
    /// at their next update.
    ///
    /// - Parameters:
    ///   - aside: the name under which the old file is kept; nil: it goes.
    ///   - isWanted: asked again under the lock, since somebody else may have done it meanwhile.
    ///   - body: is also given ``payload(at:)`` of the old log, to copy records from.
    /// - Returns: whether it was done; not where it was not wanted, or the log was lost or replaced while `body` wrote.
    /// - Throws: `ENOSPC` and others; the log is as it was then.
    @discardableResult
    package mutating func compact<R: LogReplay & ~Copyable>(
        settingAside aside: String? = nil, _ replay: inout R,
        where isWanted: (borrowing R, LogDamage) -> Bool = { _, _ in true },
        _ body: (inout LogSnapshot, borrowing R, (UInt64) throws(Errno) -> [UInt8]?) -> Void
    ) throws(Errno) -> Bool {
        try lock(&replay)
        guard isWanted(replay, wholeDamage) else {
            unlock()
            return false
        }
        let next = (generation ?? 0) &+ 1
        var temporary = ""
        var made: FileIdentity?
        do {
            let empty = try makeTemporary(named: &temporary)
            made = try empty.status().identity
            step?(.snapshotMade)
            var snapshot = LogSnapshot(empty, generation: next, replacing: (identity, end))
            body(&snapshot, replay) { offset throws(Errno) in try payload(at: offset) }
            let new = try snapshot.finish(kind: kind)
            step?(.snapshotWritten)
            let size = try new.size()
            // Whoever makes a log where there is none is within it, too.
            let passage = try gate.enter(directory, limit: patience)
            defer { extendLifetime(passage) }
            guard let made, try isCurrent(), (try? directory.identity(of: temporary)) == made
            else {
                // It says what was true of another log.
                if let made { remove(temporary, of: made) }
                unlock()
                return false
            }
            if let aside {
                try setAside(as: aside)
                step?(.setAside)
            }
            try directory.rename(temporary, to: name)
            step?(.renamed)
            // The old file's descriptor, and with it the lock, goes here.
            forgetPosition()
            file = new
            identity = made
            generation = next
            snapshotEnd = size
            end = size
            scanned = size
        } catch {
            // It may not have come to be; what is left of it is of no use.
            if let made, let passage = try? gate.enter(directory, limit: patience) {
                remove(temporary, of: made)
                extendLifetime(passage)
            }
            unlock()
            throw error
        }
        // It is in place: only that it will be after a crash is not sure, and the old one is as good then.
        do {
            try directory.synchronize()
            step?(.nameSynchronized)
        } catch {
            isNameUnsynchronized = true
        }
        return true
    }

    private func makeTemporary(named temporary: inout String) throws(Errno) -> RegularFile {
        let passage = try gate.enter(directory, limit: patience)
        defer { extendLifetime(passage) }
        return try Self.makeTemporary(
            for: name, in: directory, kind: kind, named: &temporary)
    }

    /// Removes a file, unless another has its name; within the gate.
    private func remove(_ temporary: String, of identity: FileIdentity) {
        guard (try? directory.identity(of: temporary)) == identity else { return }
        try? directory.remove(temporary)
    }

    private func setAside(as aside: String) throws(Errno) {
        do {
            try directory.link(name, as: aside)
        } catch .noSpace {
            throw .noSpace
        } catch {
            // No hard links here: for a moment there is no log under its name.
            try directory.rename(name, to: aside)
        }
    }
}
