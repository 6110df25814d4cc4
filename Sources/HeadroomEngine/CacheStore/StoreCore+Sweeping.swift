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
    /// Segments that count one record more as being written, lest they be removed before they have been looked into.
    var held: Set<UInt32> = []
    /// Being looked into at this moment.
    private var inHand: Set<Item> = []

    enum Item: Hashable {
        case segment(UInt32)
        case file(UInt64)
    }

    var isEmpty: Bool { segments.isEmpty && files.isEmpty }

    /// - Returns: what is to be looked into next, by nobody else until it is put back or finished; nil: others
    ///   look into all there is.
    mutating func next() -> Item? {
        // The youngest first: what is in it is most likely to be asked for.
        let segment = segments.keys.filter { !inHand.contains(.segment($0)) }.max()
        let file = files.keys.filter { !inHand.contains(.file($0)) }.max()
        let item = segment.map { .segment($0) } ?? file.map { Item.file($0) }
        if let item { inHand.insert(item) }
        return item
    }

    /// It could not be looked into.
    mutating func putBack(_ item: Item) { inHand.remove(item) }

    /// - Returns: the bytes that are known of now.
    mutating func finish(_ item: Item) -> Int64 {
        inHand.remove(item)
        return switch item {
        case .segment(let number): segments.removeValue(forKey: number) ?? 0
        case .file(let number): files.removeValue(forKey: number) ?? 0
        }
    }
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
                state.unknown.held.insert(number)
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
        guard let item = state.withLock({ $0.unknown.next() }) else {
            if state.withLock({ $0.unknown.isEmpty }) { return false }
            // Another thread looks into the last.
            Pause.milliseconds(1)
            return true
        }
        do throws(Errno) {
            switch item {
            case .segment(let number): try look(intoSegment: number)
            case .file(let number): try look(intoFile: number)
            }
        } catch {
            state.withLock { $0.unknown.putBack(item) }
            throw error
        }
        state.withLock { state in
            state.index.unknownBytes -= state.unknown.finish(item)
            if state.unknown.isEmpty { state.unknown.gone = [:] }
        }
        step?(.fileSwept)
        return true
    }

    private func look(intoSegment number: UInt32) throws(Errno) {
        let name = Self.segmentName(number)
        try take(ofLiving: false) { () throws(Errno) in
            // One that is there and cannot be read is left as it is.
            guard let bytes = try contents(of: name) else { return [] }
            let found = records(in: bytes, of: number)
            guard let first = found.first else {
                // Not what somebody who lives is about to write to.
                if state.withLock({ $0.index.segments[number] == nil }), !session.hasCompany {
                    try? directory.remove(name)
                }
                return []
            }
            let size = try size(of: name)
            state.withLock { state in
                guard state.index.segments[number] == nil else { return }
                var segment = SegmentAccount(
                    purgeClass: first.header.purgeClass, owner: session.number, allocated: size,
                    isOpen: false)
                segment.end = UInt32(clamping: bytes.count)
                // Told before its entries, as are all.
                segment.pending = 1
                state.unknown.held.insert(number)
                state.index.addSegment(number, segment)
                state.pending.add(StoreRecord.segment(number, segment))
            }
            return found
        }
        state.withLock { state in
            if state.unknown.held.remove(number) != nil { state.finishWriting(in: number) }
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
