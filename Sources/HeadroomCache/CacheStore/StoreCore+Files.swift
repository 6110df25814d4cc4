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
    /// Puts a value into a file of its own.
    func putFile(
        _ value: RawSpan, _ key: RawSpan, _ attributes: CacheAttributes, _ now: StoreTick
    ) throws(Errno) {
        var draft = RecordDraft(key, attributes, at: now, identity)
        draft.setValue(count: value.byteCount, sum: RecordHeader.sum(value))
        let bytes = draft.entry(at: 0, isFile: true).fileAllocated
        try hold(bytes)
        let file: SharedFile
        do throws(Errno) {
            file = try makeFile(&draft).file
            do throws(Errno) {
                step?(.fileMade)
                let back = draft.encoded(at: UInt64(value.byteCount))
                try unsafe file.write(value, back.span.bytes, at: 0)
                try finish(file)
            } catch {
                giveUp(draft.header.container)
                throw error
            }
        } catch {
            letGo(bytes)
            throw error
        }
        try enter(draft, in: file)
    }

    /// Enters a value that has a file of its own.
    func enter(_ draft: RecordDraft, in file: SharedFile) throws(Errno) {
        do throws(Errno) {
            try enter(draft, draft.entry(at: draft.header.container, isFile: true))
        } catch {
            // It was made in the directory of another store, where it is not to be found.
            let name = StoreNames.value(draft.header.container)
            if error == .storeWasReplaced, let own = try? file.status().identity,
                (try? directory.identity(of: name)) == own
            {
                try? directory.remove(name)
            }
            throw error
        }
    }

    /// Makes the file of a record, which is then told its number.
    func makeFile(_ draft: inout RecordDraft) throws(Errno) -> (file: SharedFile, name: String) {
        while true {
            let now = UInt64(clamping: clock().nanoseconds)
            (draft.header.container, draft.header.sequence) = state.withLock { state in
                state.lastFile += 1
                state.making.insert(state.lastFile)
                return (state.lastFile, state.nextSequence(now))
            }
            let name = StoreNames.value(draft.header.container)
            do throws(Errno) {
                return (try SharedFile.make(name, in: directory), name)
            } catch {
                let number = draft.header.container
                state.withLock { _ = $0.making.remove(number) }
                // Of a session of our number that nobody remembers: the next one.
                guard error == .fileExists else { throw error }
            }
        }
    }

    func nextSequence() -> UInt64 {
        let now = UInt64(clamping: clock().nanoseconds)
        return state.withLock { $0.nextSequence(now) }
    }

    /// Removes a file that was not entered.
    func giveUp(_ number: UInt64) {
        // By the name alone: of a store that was made anew it may be another.
        if (try? catchUp()) != nil, !state.withLock({ $0.isAbandoned }) {
            try? directory.remove(StoreNames.value(number))
        }
        state.withLock { _ = $0.making.remove(number) }
    }

    /// Makes a file durable that is written, if that is asked for.
    func finish(_ file: SharedFile) throws(Errno) {
        step?(.fileWritten)
        guard options.durability == .full else { return }
        try file.synchronizeData()
        try directory.synchronize()
    }

    // MARK: - The limit

    /// Makes sure that a file of so many bytes is within the limit, and counts it as being written.
    ///
    /// The log knows of an allowance that a process has for files, not of each file before it is there.
    func hold(_ bytes: Int64) throws(Errno) {
        if takeHeld(bytes) { return }
        try maintenance.withLock { (_) throws(Errno) in
            // What is in the log does not count any more.
            try flush()
            if takeHeld(bytes) { return }
            // Others take of what is held at any moment.
            try allocate { state in
                let wanted = state.unlogged + bytes + fileAllowance
                return max(0, wanted - state.index.sessions.held(by: state.session))
            } _: { state in
                state.hold(state.unlogged + bytes + fileAllowance)
                state.inFlight += bytes
                state.unlogged += bytes
            } giveBack: { state in
                state.letGo(bytes)
            }
        }
    }

    /// Gives back what was held for a file that does not come to be, or not so large.
    func letGo(_ bytes: Int64) { state.withLock { $0.letGo(bytes) } }

    private func takeHeld(_ bytes: Int64) -> Bool {
        state.withLock { state in
            guard state.unlogged + bytes <= state.index.sessions.held(by: state.session) else {
                return false
            }
            state.inFlight += bytes
            state.unlogged += bytes
            return true
        }
    }

    /// What a process may write to files before it has to look into the log.
    var fileAllowance: Int64 {
        max(options.limit.bytes / 64, min(256 << 10, options.limit.bytes / 16))
    }
}

extension StoreCore.State {
    fileprivate mutating func letGo(_ bytes: Int64) {
        inFlight -= bytes
        unlogged -= bytes
    }
}
