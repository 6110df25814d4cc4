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
    /// - Complexity: O(files); their content is not looked at.
    func listFiles() throws(Errno) {
        let names = try directory.names()
        // What was made before the names were read is in the log by now.
        try catchUp()
        let known = state.withLock { $0.index.fileNumbers() }
        for name in names {
            guard let dot = name.firstIndex(of: "."),
                let number = UInt64(name[..<dot], radix: 16)
            else { continue }
            switch name[dot...] {
            case ".segment": noteSegment(number, name)
            case ".value": if !known.contains(number) { noteFile(number, name) }
            default: break
            }
        }
    }

    private func noteSegment(_ number: UInt64, _ name: String) {
        guard let number = UInt32(exactly: number), name == Self.segmentName(number) else { return }
        let bytes = size(of: name)
        state.withLock { state in
            state.index.segments.notice(number)
            guard state.index.segments[number] == nil, state.unknown.segments[number] == nil else {
                return
            }
            state.unknown.segments[number] = bytes
            state.index.unknownBytes += bytes
        }
    }

    private func noteFile(_ number: UInt64, _ name: String) {
        guard name == Self.fileName(number) else { return }
        let owner = UInt32(number >> 32)
        if owner == session.number {
            // Of a session of that number which nobody remembers, or being written now.
            let isOld = state.withLock { $0.statistics.puts == 0 }
            guard isOld else { return }
            state.withLock { $0.lastFile = max($0.lastFile, number) }
        } else if session.isAlive(owner) {
            return
        }
        let bytes = size(of: name)
        state.withLock { state in
            guard state.unknown.files[number] == nil else { return }
            state.unknown.files[number] = bytes
            state.index.unknownBytes += bytes
        }
    }

    private func size(of name: String) -> Int64 {
        (try? SharedFile.open(name, in: directory).status().allocatedSize.bytes) ?? 0
    }

    /// Looks into all files that the log does not tell of.
    ///
    /// - Parameter listing: and looks for such files before.
    func sweep(_ isStopped: () -> Bool, listing: Bool) {
        if listing { try? listFiles() }
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
        if let segment { try look(intoSegment: segment) }
        if let file { look(intoFile: file) }
        guard segment != nil || file != nil else { return false }
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
        return true
    }

    private func look(intoSegment number: UInt32) throws(Errno) {
        guard let file = try? SharedFile.open(Self.segmentName(number), in: directory),
            let status = try? file.status(), let bytes = try? file.contents()
        else { return }
        let found = records(in: bytes, of: number)
        guard let first = found.first else {
            try? directory.remove(Self.segmentName(number))
            return
        }
        state.withLock { state in
            guard state.index.segments[number] == nil else { return }
            var segment = SegmentAccount(
                purgeClass: first.header.purgeClass, owner: 0,
                allocated: status.allocatedSize.bytes, isOpen: false)
            segment.end = UInt32(clamping: bytes.count)
            // Not to be removed before its entries are there.
            segment.pending = 1
            state.index.addSegment(number, segment)
        }
        take(found, telling: true)
        state.withLock { $0.finishWriting(in: number) }
    }

    private func look(intoFile number: UInt64) {
        guard let found = readFile(number) else {
            try? directory.remove(Self.fileName(number))
            return
        }
        take([found], telling: true)
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
    private struct State {
        var thread: WorkerThread?
        var isStopped = false
    }
    private let state = Mutex(State())

    /// Starts it, if it does not run.
    func start(_ body: @escaping @Sendable (_ isStopped: () -> Bool) -> Void) {
        state.withLock { state in
            guard state.thread == nil else { return }
            // Where there are no more threads, who needs room looks into the files.
            state.thread = try? WorkerThread { [self] in
                WorkerThread.lowerPriority()
                body { self.state.withLock { $0.isStopped } }
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
