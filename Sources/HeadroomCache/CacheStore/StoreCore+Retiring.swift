//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import Synchronization
import SystemPackage

extension StoreCore {
    /// Takes a record out of use that is not in the index any more.
    ///
    /// Its file goes, or it is marked: so it does not come back when the index is lost, and another
    /// process that has not heard of it does not read it.
    ///
    /// - Returns: why it could not be; nil if it is out of use, or there is none.
    @discardableResult
    func retire(_ record: RecordPlace) -> Errno? {
        // Of a store that was made anew the numbers may be those of its files.
        if state.withLock({ $0.isAbandoned }) { return nil }
        do throws(Errno) {
            if record.isFile {
                try retireFile(record.place)
            } else {
                let file = try writableFile(of: UInt32(truncatingIfNeeded: record.place >> 32))
                try retire(at: record.place & 0xFFFF_FFFF, in: file)
            }
        } catch {
            if error.isNoSuchFile {
                state.withLock { $0.retiring[record] = nil }
                return nil
            }
            // Done when the log is told the next time, if that was noted or is to be had then.
            if error.isPassing { state.withLock { $0.noteRetiring(record) } }
            return error
        }
        state.withLock { $0.retiring[record] = nil }
        return nil
    }

    @discardableResult
    func retire(_ old: StoreEntry) -> Errno? { retire(old.recordPlace) }

    /// Marks a record, if there is one: what has the file's name may have been put there by anybody.
    func retire(at offset: UInt64, in file: SharedFile) throws(Errno) {
        // mutation: r20k-1
        guard try file.bytes(4, at: offset) == RecordHeader.markerBytes else { return }
        let mark = RecordHeader.retired
        let place = offset + UInt64(RecordHeader.retiredOffset)
        try unsafe file.write(mark.span.bytes, RawSpan(), at: place)
    }

    /// Removes the file of a value; marks what is in it where that cannot be done.
    private func retireFile(_ number: UInt64) throws(Errno) {
        let name = StoreNames.value(number)
        do throws(Errno) {
            try directory.remove(name)
            state.withLock { $0.leaving -= $0.stuck.removeValue(forKey: number) ?? 0 }
        } catch {
            if error.isNoSuchFile || error.isPassing { throw error }
            // It goes on occupying what it does.
            let bytes = (try? directory.status(of: name).allocatedSize.bytes) ?? 0
            state.withLock { state in
                if state.stuck.updateValue(bytes, forKey: number) == nil { state.leaving += bytes }
            }
            guard let found = try? readFile(number),
                let file = try? openFile(name, forWriting: true)
            else { throw error }
            try retire(at: UInt64(found.header.valueCount), in: file)
        }
    }

    /// Takes a record out of use, unless it was when the log was told.
    @discardableResult
    func retireNoted(_ entry: StoreEntry) -> Errno? {
        state.withLock({ $0.isRetiring(entry) }) ? retire(entry) : nil
    }

    /// Takes an entry out of use that has been replaced, removed or evicted, whose bytes count until it is gone.
    ///
    /// - Returns: why it could not be done.
    @discardableResult
    func retireReplaced(_ old: StoreEntry?) -> Errno? {
        guard let old else { return nil }
        let failure = retireNoted(old)
        guard old.isFile else { return failure }
        state.withLock { state in
            // Somebody reads from it: it occupies what it does until that is over.
            if state.leases.files[old.place] != nil {
                state.leases.files[old.place]?.leftBytes = old.fileAllocated
            } else {
                state.leaving -= old.fileAllocated
            }
        }
        return failure
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

    /// Opens a file of the store.
    func openFile(_ name: String, forWriting: Bool = false) throws(Errno) -> SharedFile {
        try sparingDescriptors { () throws(Errno) in
            try SharedFile.open(name, in: directory, forWriting: forWriting)
        }
    }

    /// Opens a value's own file to read what is checked then: a get is an open, a read and a close.
    func openToGet(_ number: UInt64) throws(Errno) -> SharedFile {
        try sparingDescriptors { () throws(Errno) in
            try SharedFile.openUnchecked(StoreNames.value(number), in: directory)
        }
    }

    /// Opens a file; where there are no more descriptors, those go that are kept for the next time.
    private func sparingDescriptors(
        _ open: () throws(Errno) -> SharedFile
    ) throws(Errno) -> SharedFile {
        do throws(Errno) {
            return try open()
        } catch {
            guard error == .tooManyOpenFiles || error == .tooManyOpenFilesInSystem else {
                throw error
            }
            releaseMemory()
            return try open()
        }
    }

    /// Opens a segment, for this and the next time.
    func openSegment(_ number: UInt32) throws(Errno) -> SharedFile {
        let file = try openFile(StoreNames.segment(number), forWriting: true)
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
    /// A record that has to be taken out of use before the log says that it is: a process that is killed
    /// in between leaves none behind that nobody speaks of any more.
    mutating func noteRetiring(_ entry: StoreEntry) { retiring[entry.recordPlace] = entry.hash }

    /// The same of one that is not in the index any more, or does not come into it: its bytes count until
    /// ``StoreCore/retireReplaced(_:)`` is called for it.
    mutating func noteLeaving(_ entry: StoreEntry) {
        leaving += entry.fileAllocated
        noteRetiring(entry)
    }

    /// A record of which the key is not known.
    mutating func noteRetiring(_ record: RecordPlace) {
        if retiring[record] == nil { retiring[record] = 0 }
    }

    /// Of two that were put at once another process may have chosen the one that was to go.
    mutating func keepWhatIsInUse() {
        for (record, hash) in retiring where index.entry(hash)?.recordPlace == record {
            retiring[record] = nil
        }
    }

    /// Whether a record is to be taken out of use still.
    func isRetiring(_ entry: StoreEntry) -> Bool {
        !retiring.isEmpty && retiring[entry.recordPlace] != nil
    }
}
