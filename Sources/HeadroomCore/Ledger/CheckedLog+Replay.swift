//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
package import SystemPackage

extension CheckedLog {
    /// Gives `replay` what was appended since the last call, or everything if the log was replaced.
    ///
    /// Costs two status calls if nothing is new.
    ///
    /// - Throws: what reading threw; `ENOTSUP` if a later version wrote the file.
    package mutating func update(_ replay: inout some LogReplay & ~Copyable) throws(Errno) {
        if try !isCurrent() {
            // Its name may be gone for a moment; what we have read is still true then.
            if access == .reading, !directory.contains(name) { return }
            try reopen()
        }
        try read(&replay)
        guard tail != .clean, judged != scanned else { return }
        // Perhaps somebody is in the middle of writing it: look again when nobody is.
        do {
            try StateLock.take(
                file.descriptor.rawValue, .shared,
                limit: access == .writing ? patience : .milliseconds(500))
        } catch {
            return
        }
        defer { unlock() }
        scanned = 0
        try read(&replay)
        judged = scanned
    }

    /// The payload of a record that a replay saw at `offset`.
    ///
    /// - Returns: nil if it is not there any more, or damaged meanwhile.
    package func payload(at offset: UInt64) throws(Errno) -> [UInt8]? {
        var window = try file.read(4096, at: offset)
        guard !window.isEmpty else { return nil }
        while true {
            switch LogFrame.check(window, at: 0, offset: offset, generation: generation) {
            case .valid(_, _, let payload): return Array(window[payload])
            case .invalid: return nil
            case .incomplete(let size):
                let count = window.count
                try file.read(
                    size - count, at: offset + UInt64(count), appendingTo: &window)
                if window.count < size { return nil }
            }
        }
    }

    /// Reads from `end` to the end of the file.
    mutating func read(_ replay: inout some LogReplay & ~Copyable) throws(Errno) {
        do {
            try readOn(&replay)
        } catch {
            // Whoever reads on would not know how much of it was taken in.
            forgetPosition()
            isReplayStale = true
            throw error
        }
    }

    private mutating func readOn(_ replay: inout some LogReplay & ~Copyable) throws(Errno) {
        let size = try file.size()
        if end > 0, size == scanned, tail != .torn { return }
        if size < end {
            // Cut by somebody else's hand: what was read is not there any more. Appends that failed are cut off, too,
            // but never the snapshot.
            if size < max(snapshotEnd, UInt64(LogHeader.size)) { isLost = true }
            forgetPosition()
            isReplayStale = true
        }
        if end == 0 {
            try readHeader()
            if isReplayStale {
                if let replayed, replayed.file != identity, generation ?? 0 <= replayed.generation {
                    isLost = true
                }
                replay.restart()
            }
            isReplayStale = false
            if size < LogHeader.size {
                scanned = size
                return
            }
        }
        try scan(to: size, &replay)
    }

    private mutating func readHeader() throws(Errno) {
        switch LogHeader.read(try file.read(LogHeader.size, at: 0), kind: kind) {
        case .good(let header):
            generation = header.generation
            snapshotEnd = header.snapshotEnd
        case .foreign: throw .notSupported
        case .damaged: damage.headerIsDamaged = true
        }
        end = UInt64(LogHeader.size)
    }

    private mutating func scan(
        to size: UInt64, _ replay: inout some LogReplay & ~Copyable
    ) throws(Errno) {
        // Stays in the processor's cache between being read, summed up and replayed.
        let chunk = 1 << 19
        var window: [UInt8] = []
        var windowStart = end
        var position = 0
        /// Where the unreadable stretch began that we are in.
        var badStart: UInt64?
        /// Checksums over stretches that turn out not to be records; bounded, since somebody else
        /// may have made the file.
        var wasted = 0
        let wasteLimit = (64 << 20) + 8 * Int(clamping: size)

        func offset() -> UInt64 { windowStart + UInt64(position) }

        while true {
            let windowEnd = windowStart + UInt64(window.count)
            let check =
                position == window.count
                ? .incomplete(1)
                : LogFrame.check(window, at: position, offset: offset(), generation: generation)
            switch check {
            case .valid(let type, let found, let payload):
                if let start = badStart { noteDamage(from: start, to: offset()) }
                badStart = nil
                generation = found
                replay.record(type, window[payload], at: offset())
                position = payload.upperBound
                continue
            case .incomplete(let needed) where windowEnd < size:
                window.removeFirst(position)
                windowStart += UInt64(position)
                position = 0
                let count = max(needed - window.count, chunk)
                try file.read(
                    Int(min(UInt64(count), size - windowEnd)), at: windowEnd,
                    appendingTo: &window)
                // Cut while we read: the rest is looked at next time.
                if windowStart + UInt64(window.count) == windowEnd { break }
                continue
            case .incomplete where position == window.count:
                break
            case .incomplete, .invalid:
                if badStart == nil { badStart = offset() }
                if case .invalid(let looked) = check { wasted += looked }
                if wasted > wasteLimit {
                    position = window.count
                } else {
                    position = LogFrame.nextMarker(in: window, from: position + 1)
                }
                continue
            }
            break
        }
        scanned = size
        if let badStart {
            end = badStart
            tail = try isTorn(from: badStart, to: size) ? .torn : .damaged
        } else {
            end = offset()
            tail = .clean
        }
    }

    /// Whether what follows the last good record is what a crash leaves: the beginning of a record
    /// with a good header, a few bytes of one, or zeros where data never reached the disk.
    private func isTorn(from start: UInt64, to size: UInt64) throws(Errno) -> Bool {
        let head = try file.read(LogFrame.headerSize, at: start)
        if case .incomplete(let needed) = LogFrame.check(
            head, at: 0, offset: start, generation: generation),
            start + UInt64(needed) > size
        {
            return true
        }
        var position = start
        while position < size {
            let bytes = try file.read(Int(min(size - position, 1 << 20)), at: position)
            if bytes.isEmpty || bytes.contains(where: { $0 != 0 }) { return false }
            position += UInt64(bytes.count)
        }
        return true
    }

    mutating func noteDamage(from start: UInt64, to end: UInt64) {
        damage.places += 1
        damage.bytes += end - start
    }

    /// Whether something is known to be missing: broken, or cut off in the midst of the snapshot.
    package var isIncomplete: Bool { !wholeDamage.isEmpty || end < snapshotEnd }

    /// What is broken, the end of the file included.
    package var wholeDamage: LogDamage {
        var whole = damage
        if tail == .damaged {
            whole.places += 1
            whole.bytes += scanned - end
        }
        return whole
    }
}

extension CheckedLog {
    /// Gives `replay` everything from the first record on.
    package mutating func replay(_ replay: inout some LogReplay & ~Copyable) throws(Errno) {
        forgetPosition()
        isReplayStale = true
        try update(&replay)
    }
}
