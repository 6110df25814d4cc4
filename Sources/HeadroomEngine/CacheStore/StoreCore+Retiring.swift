//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization
import SystemPackage

extension StoreCore {
    /// Takes what lies behind an entry out of use that is not in the index any more.
    ///
    /// Its file goes, or its record is marked: so it does not come back when the index is lost, and
    /// another process that has not heard of it does not read it.
    func retire(_ old: StoreEntry?) {
        guard let old else { return }
        // What cannot be removed is found when the files are looked through the next time; what cannot
        // be marked is older than what replaced it.
        if old.isFile {
            try? directory.remove(Self.fileName(old.place))
        } else if let file = try? writableFile(of: old.segment) {
            retire(at: UInt64(old.offset), in: file)
        }
        state.withLock { if !$0.retiring.isEmpty { $0.retiring[old.place] = nil } }
    }

    /// Marks the record at a place of a segment.
    func retire(place: UInt64) {
        guard let file = try? writableFile(of: UInt32(truncatingIfNeeded: place >> 32)) else {
            return
        }
        retire(at: place & 0xFFFF_FFFF, in: file)
    }

    func retire(at offset: UInt64, in file: SharedFile) {
        let mark = RecordHeader.retired
        let place = offset + UInt64(RecordHeader.retiredOffset)
        unsafe try? file.write(mark.span.bytes, RawSpan(), at: place)
    }

    /// Removes an entry that has been replaced, whose bytes count until it is gone.
    func retireReplaced(_ old: StoreEntry?) {
        guard let old else { return }
        retire(old)
        guard old.isFile else { return }
        state.withLock { state in
            // Somebody reads from it: it occupies what it does until that is over.
            if state.leases.files[old.place] != nil {
                state.leases.files[old.place]?.leftBytes = old.fileAllocated
            } else {
                state.leaving -= old.fileAllocated
            }
        }
    }

    func writableFile(of number: UInt32) throws(Errno) -> SharedFile {
        if let file = state.withLock({ $0.files[number] }) { return file }
        return try openSegment(number)
    }

    /// Closes the files that were kept open for the next time.
    package func releaseMemory() {
        state.withLock { state in
            let open = Set(state.open.compactMap { $0 })
            state.files = state.files.filter { open.contains($0.key) }
        }
    }

    /// Opens a segment, for this and the next time.
    func openSegment(_ number: UInt32) throws(Errno) -> SharedFile {
        let file = try SharedFile.open(
            Self.segmentName(number), in: directory, forWriting: true)
        state.withLock { state in
            if state.files.count >= Self.openFileLimit {
                let isOpen = state.open
                if let any = state.files.keys.first(where: { !isOpen.contains($0) }) {
                    state.files[any] = nil
                }
            }
            // Not, if it has been removed since: it would be open for ever.
            if state.index.segments[number] != nil { state.files[number] = file }
        }
        return file
    }
}

extension StoreCore.State {
    /// A record that has to be marked before the log says that it is out of use.
    mutating func noteRetiring(_ entry: StoreEntry) {
        if !entry.isFile { retiring[entry.place] = entry }
    }
}
