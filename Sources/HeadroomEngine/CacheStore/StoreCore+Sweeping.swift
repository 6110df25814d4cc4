//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization
import SystemPackage

/// Files of a store that its log does not tell of, until they have been looked into.
struct UnknownFiles {
    var segments: [UInt32: Int64] = [:]
    var files: [UInt64: Int64] = [:]
    /// What was removed meanwhile, by hash, and when: it may stand in one of them.
    var gone: [UInt64: UInt64] = [:]
    /// Being looked into at this moment.
    var inHand = 0

    var isEmpty: Bool { segments.isEmpty && files.isEmpty && inHand == 0 }
}

extension StoreCore {
    /// Finds the files that the log does not tell of, and counts their bytes.
    ///
    /// - Parameter isDamaged: the log may lack records of any segment.
    /// - Complexity: O(files); their content is not looked at.
    func listFiles(isDamaged: Bool = false) throws(Errno) {
        let names = try directory.names()
        // What was made before the names were read is in the log by now.
        try catchUp()
        let known = state.withLock { $0.index.fileNumbers() }
        // In order: segments whose numbers are far from those of all others are not ours.
        for name in names.sorted() {
            guard let dot = name.firstIndex(of: "."),
                let number = UInt64(name[..<dot], radix: 16)
            else { continue }
            switch name[dot...] {
            case ".segment": try noteSegment(number, name, isDamaged: isDamaged)
            case ".value":
                if !known.contains(number) { try noteFile(number, name) }
            default: break
            }
        }
    }

    private func noteSegment(_ number: UInt64, _ name: String, isDamaged: Bool) throws(Errno) {
        guard let number = UInt32(exactly: number), name == Self.segmentName(number),
            // Nothing that we have written.
            state.withLock({ $0.index.segments.canHold(number) })
        else { return }
        let (bytes, modified) = try status(of: name)
        state.withLock { state in
            state.noticeTime(modified)
            state.index.segments.notice(number)
            guard state.unknown.segments[number] == nil else { return }
            if let segment = state.index.segments[number] {
                guard isDamaged, !segment.isOpen else { return }
                state.unknown.segments[number] = 0
                // Not to be removed before it has been looked into.
                return state.index.segments.update(number) { $0.pending += 1 }
            }
            state.unknown.segments[number] = bytes
            state.index.unknownBytes += bytes
        }
    }

    private func noteFile(_ number: UInt64, _ name: String) throws(Errno) {
        guard name == Self.fileName(number) else { return }
        let owner = UInt32(number >> 32)
        if owner == session.number {
            // Being written now; else of a session of that number which nobody remembers.
            if state.withLock({ $0.making.contains(number) }) { return }
        } else if session.isAlive(owner) {
            return
        }
        let (bytes, modified) = try status(of: name)
        state.withLock { state in
            state.noticeTime(modified)
            guard state.unknown.files[number] == nil else { return }
            state.unknown.files[number] = bytes
            state.index.unknownBytes += bytes
        }
    }

    private func size(of name: String) throws(Errno) -> Int64 { try status(of: name).bytes }

    private func status(of name: String) throws(Errno) -> (bytes: Int64, modified: Timestamp?) {
        do throws(Errno) {
            let status = try directory.status(of: name)
            return (status.allocatedSize.bytes, status.modified)
        } catch .noSuchFileOrDirectory {
            return (0, nil)
        }
    }

    /// Looks for files that the log does not tell of, and into them.
    func sweep(_ isStopped: () -> Bool) {
        // What fails here is done by whoever opens the store next.
        try? listFiles()
        step?(.filesListed)
        while !isStopped() {
            guard (try? lookIntoNext()) == true else { break }
        }
        try? flush()
    }

    /// Looks into one of the files that the log does not tell of.
    ///
    /// - Returns: whether there was one.
    func lookIntoNext() throws(Errno) -> Bool {
        let (segment, file) = state.withLock { state -> (UInt32?, UInt64?) in
            // The youngest first: what is in it is most likely to be asked for.
            let segment = state.unknown.segments.keys.max()
            let file = segment == nil ? state.unknown.files.keys.max() : nil
            if segment != nil || file != nil { state.unknown.inHand += 1 }
            return (segment, file)
        }
        guard segment != nil || file != nil else { return false }
        do throws(Errno) {
            if let segment { try look(intoSegment: segment) }
            if let file { try look(intoFile: file) }
        } catch {
            state.withLock { $0.unknown.inHand -= 1 }
            throw error
        }
        state.withLock { state in
            if let segment, let bytes = state.unknown.segments.removeValue(forKey: segment) {
                state.index.unknownBytes -= bytes
            }
            if let file, let bytes = state.unknown.files.removeValue(forKey: file) {
                state.index.unknownBytes -= bytes
            }
            state.unknown.inHand -= 1
            if state.unknown.isEmpty { state.unknown.gone = [:] }
        }
        step?(.fileSwept)
        return true
    }

    private func look(intoSegment number: UInt32) throws(Errno) {
        let name = Self.segmentName(number)
        let isKnown = state.withLock { $0.index.segments[number] != nil }
        var hasAny = false
        try take(ofLiving: false) { () throws(Errno) in
            let bytes = try contents(of: name) ?? []
            let found = records(in: bytes, of: number)
            guard let first = found.first else { return [] }
            hasAny = true
            let size = try size(of: name)
            state.withLock { state in
                guard state.index.segments[number] == nil else { return }
                var segment = SegmentAccount(
                    purgeClass: first.header.purgeClass, owner: session.number, allocated: size,
                    isOpen: false)
                segment.end = UInt32(clamping: bytes.count)
                // Not to be removed before its entries are there; told before them, as are all.
                segment.pending = 1
                state.index.addSegment(number, segment)
                state.pending.add(StoreRecord.segment(number, segment))
            }
            return found
        }
        if hasAny || isKnown {
            state.withLock { $0.finishWriting(in: number) }
        } else {
            try? directory.remove(name)
        }
    }

    private func look(intoFile number: UInt64) throws(Errno) {
        try take(ofLiving: false) { () throws(Errno) in
            if let found = try readFile(number) { return [found] }
            try? directory.remove(Self.fileName(number))
            return []
        }
    }
}

extension StoreCore.State {
    /// Of a file that the log does not tell of: what is put from now on is later than what is in it, also where
    /// the clock was set back since.
    fileprivate mutating func noticeTime(_ modified: Timestamp?) {
        guard let modified else { return }
        sequence = max(sequence, UInt64(clamping: modified.nanoseconds))
    }
}

extension CacheIndex {
    /// The numbers of all files that entries have of their own.
    func fileNumbers() -> Set<UInt64> {
        var numbers: Set<UInt64> = []
        for place in 0..<table.placeCount
        where table[place].isLive && table[place].isFile {
            numbers.insert(table[place].place)
        }
        return numbers
    }
}

/// A thread that looks through a store's files in the background.
final class Sweeper: Sendable {
    // Ends by itself.
    deinit { state.withLock { $0.thread }?.detach() }

    private struct State {
        var thread: WorkerThread?
        var isDone = false
        var isStopped = false
    }
    private let state = Mutex(State())

    /// Starts it, if it does not run.
    func start(_ body: @escaping @Sendable (_ isStopped: () -> Bool) -> Void) {
        state.withLock { state in
            if state.isDone {
                state.thread?.join()
                state.thread = nil
            }
            guard state.thread == nil else { return }
            state.isDone = false
            // Where there are no more threads, who needs room looks into the files.
            state.thread = try? WorkerThread { [self] in
                WorkerThread.lowerPriority()
                body { self.state.withLock { $0.isStopped } }
                self.state.withLock { $0.isDone = true }
            }
        }
    }

    /// Returns when it has come to its end.
    func wait() {
        let thread = state.withLock { state in
            defer { state.thread = nil }
            return state.thread
        }
        thread?.join()
    }

    /// Ends it after the file that it looks into, and waits for that.
    func stop() {
        state.withLock { $0.isStopped = true }
        wait()
    }
}
