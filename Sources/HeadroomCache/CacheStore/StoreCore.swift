//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import HeadroomPlatform
import Synchronization
package import SystemPackage

/// A disk cache: many small values in few files, large ones in a file each, and an index in memory.
///
/// Design: `Documentation/Design/0020-cache-store.md`. All calls block; any thread may call.
package final class StoreCore: Sendable {
    package let path: FilePath
    package let options: CacheOptions
    let directory: StateDirectory
    let identity: StoreIdentity
    let session: StoreSession
    let clock: @Sendable () -> Timestamp
    /// How long a segment gets.
    let segmentCapacity: Int
    /// Values up to this length lie in segments.
    let smallValueLimit: Int
    let state: Mutex<State>
    /// Making room, closing segments and moving records: one thread at a time.
    let maintenance = Mutex<Void>(())
    /// Taken after `maintenance` and before `state`, where both are.
    let log: Mutex<LogState>
    /// Held while values go to disk; before `log`.
    let synchronizing = Mutex<Void>(())
    let sweeper = Sweeper()
    let ending: StoreEnding
    /// The log was missing or damaged when the store was opened, or somebody was in doubt about it.
    package let wasLost: Bool
    /// What the volume of a directory has; nil if it does not say.
    let volumeFigures: @Sendable (StateDirectory) -> VolumeFigures?
    /// Called at numbered steps; tests kill the process there.
    let step: (@Sendable (StoreStep) -> Void)?

    struct State: ~Copyable {
        let session: UInt32
        var index: CacheIndex
        /// Of segments that are open, or were read not long ago.
        var files: [UInt32: SharedFile] = [:]
        /// The segment that is written to, by the code of its class.
        var open: [UInt32?] = [nil, nil, nil]
        var pending = PendingRecords()
        /// Nanoseconds since 1970, or one more than the last where the clock does not go on.
        var sequence: UInt64
        /// The one that the log has been told.
        var toldSequence: UInt64
        var statistics = CacheStatistics()
        /// What of it the log has been told.
        var told = CacheTotals()
        /// The rest is told with what is told next, however little it is.
        var tellsTotals = false
        /// Of the log, as far as it was read.
        var watch: LogWatch?
        /// How far its good records were.
        var read = LogLineage.Reading()
        /// Somebody else has the store open, as far as is known.
        var isShared: Bool
        /// The last number of a file of its own.
        var lastFile: UInt64
        /// Files that are being written, and their bytes.
        var making: Set<UInt64> = []
        var inFlight: Int64 = 0
        /// Bytes of files that are being removed.
        var leaving: Int64 = 0
        /// What was occupied when making room began: of a store that is above its limit, since that is lower now or
        /// somebody else's is higher, records are moved together within that.
        var ceiling: Int64 = 0
        /// Bytes of the segments that this process has removed, and of the pages that it has moved records to.
        var removedBytes: Int64 = 0
        var movedBytes: Int64 = 0
        /// Of those that are being written, and of those that are not in the log yet.
        var unlogged: Int64 = 0
        /// What it has said last that it may write without a word.
        var toldHeld: Int64 = 0
        var unsynchronized = Unsynchronized()
        /// The log was lost, and does not tell what this process knows.
        var needsSnapshot = false
        /// What this process knew has come into a log that did not follow: of its segments some may be gone.
        var hasMetLoss = false
        /// The store was removed, and made anew by another process: what is known here is of no use there.
        var isAbandoned = false
        /// How many changes there had been when it was closed the last time, and all of them had been told.
        var changesAtClose: Int?
        var leases = Leases()
        var volume = VolumeLevel()
        /// What is out of use and may not have been marked or removed yet.
        /// With the hashes of their keys, as far as they are known.
        var retiring: [RecordPlace: UInt64] = [:]
        /// Records that somebody else has marked, of which he has said nothing for longer than a get waits; and the
        /// last session that there was then.
        var awaited: [RecordPlace: UInt32] = [:]
        /// Files that should be gone and cannot be removed, and their bytes.
        var stuck: [UInt64: Int64] = [:]
        /// A segment that is being removed: what is still found in it cannot be kept any more.
        var going: UInt32?
        /// Where records stood that were moved, by their hashes, until the log knows of it.
        var moves: [UInt64: UInt64] = [:]
        /// Files that are there and have not been looked into.
        var unknown = UnknownFiles()
    }

    struct LogState: ~Copyable {
        var log: CheckedLog
        /// The file that `State.watch` is on.
        var watched: FileIdentity?
        /// What is broken in the log is looked for on disk.
        var isKnownIncomplete = false
        /// How much had been appended when a snapshot could not be written.
        var lengthAtFailure: UInt64 = 0

        /// Where there was no room for one it takes as much again until there may be.
        var wantsSnapshot: Bool {
            if log.appendedBytes < lengthAtFailure { return log.wantsCompaction }
            return log.wantsCompaction && log.appendedBytes >= 2 * lengthAtFailure
        }
    }

    /// What was written since values were last made durable.
    struct Unsynchronized {
        var segments: Set<UInt32> = []
        var files: [UInt64] = []
        var puts = 0
    }

    /// More files than this are not kept open for reading.
    static let openFileLimit = 128
    static let logKind: UInt32 = 0x4349_4458
    /// Entries that are kept back from the log.
    static let batch = 256
    static let keyLimit = 1024
    /// Uses of an entry within a minute of each other are one, as far as the log is concerned.
    static let useResolution = UInt32(60 * StoreTick.perSecond)
    static let useBatch = 1024

    /// Opens a store; makes it if there is none.
    ///
    /// Costs the reading of its index file. Segments and values are looked at only where a process was
    /// killed, and what that had not told the log; where the index file is lost or damaged, all of them
    /// are, in the background: what has not been looked at yet is not found until then.
    ///
    /// - Parameter existing: its directory; nil: the one at the path, which is made if it is not there.
    /// - Throws: `invalid` for a limit that is too small, and a directory with files of others' in it.
    package init(
        at path: FilePath, in existing: StateDirectory? = nil, _ options: CacheOptions,
        clock: @escaping @Sendable () -> Timestamp = { Timestamp.now() },
        volumeFigures: @escaping @Sendable (StateDirectory) -> VolumeFigures? = {
            try? $0.volumeFigures()
        },
        step: (@Sendable (StoreStep) -> Void)? = nil
    ) throws(HeadroomError) {
        let ending = StoreEnding()
        self.ending = ending
        self.volumeFigures = volumeFigures
        self.step = step
        self.path = path
        self.options = options
        self.clock = clock
        guard options.limit.bytes >= 1 << 20 else {
            throw HeadroomError(
                .invalid,
                "A limit of \(options.limit) is too small for a cache store. Give it 1 MiB or more."
            )
        }
        segmentCapacity = Self.segmentCapacity(options)
        smallValueLimit = Self.smallValueLimit(options)
        // Somebody of this process may just have let it go.
        StoreEndings.wait(for: path)
        let directory: StateDirectory
        do throws(Errno) {
            directory = if let existing { existing } else { try StateDirectory(creating: path) }
        } catch {
            throw HeadroomError("open the cache store", path, error)
        }
        try StoreDirectory.check(directory, path)
        do throws(Errno) {
            let now = clock()
            var identity = try StoreIdentity.open(in: directory, now: now)
            // What cannot be done now is done another time.
            if !options.isVisitor, let new = try? identity.restarted(in: directory, now: now) {
                identity = new
            }
            var index = CacheIndex(policy: options.policy, entryLimit: options.entryLimit)
            var log = try Self.openLog(in: directory, identity, &index)
            var isInDoubt = false
            var begun = try Self.begin(
                in: directory, identity, &log, &index, options, now, isInDoubt: &isInDoubt)
            for _ in 0..<16 where begun == nil {
                // Whoever had the store open that was here before takes its log for lost, and writes it anew, until
                // he sees that this is another store. Or its time has begun anew since.
                index.startAnew()
                identity = try StoreIdentity.open(in: directory, now: now)
                log = try Self.openLog(in: directory, identity, &index)
                begun = try Self.begin(
                    in: directory, identity, &log, &index, options, now, isInDoubt: &isInDoubt)
            }
            guard let session = begun else { throw Errno.resourceTemporarilyUnavailable }
            wasLost = isInDoubt || log.isIncomplete
            step?(.sessionBegun)
            self.directory = directory
            self.identity = identity
            self.session = session
            let sequence = index.sessions.sequence
            let isShared = index.sessions.accounts.count > 1
            let watch = log.watch
            let read = LogLineage.Reading(inode: log.identity.inode, end: log.end)
            state = Mutex(
                State(
                    session: session.number, index: index, sequence: sequence,
                    toldSequence: sequence, watch: watch, read: read,
                    isShared: isShared,
                    lastFile: UInt64(session.number) << 32))
            log.isMadeAnew = { !ending.hasBegun }
            let watched = log.identity
            let isIncomplete = log.isIncomplete
            self.log = Mutex(
                LogState(log: log, watched: watched, isKnownIncomplete: isIncomplete))
        } catch {
            throw HeadroomError("open the cache store", path, error)
        }
        do throws(Errno) {
            try recover()
        } catch {
            throw HeadroomError("recover the cache store", path, error)
        }
    }

    /// Opens the log of this store; one of another is set aside as if it were lost.
    private static func openLog(
        in directory: StateDirectory, _ identity: StoreIdentity, _ index: inout CacheIndex
    ) throws(Errno) -> CheckedLog {
        var log: CheckedLog
        do throws(Errno) {
            log = try makeLog(in: directory)
        } catch {
            guard error.isNoSuchFile, error != .noSuchFileOrDirectory else { throw error }
            // A link, or whatever else is no file of ours.
            try CheckedLog.removeForeign(StoreNames.log, in: directory, gate: logGate)
            log = try makeLog(in: directory)
        }
        do {
            try log.update(&index)
            if index.fingerprint ?? identity.fingerprint == identity.fingerprint { return log }
        } catch .notSupported {
            // Of a later version, or something else altogether: as good as lost.
        }
        // Unless it is this one that is another store's by now.
        if let current = try StoreIdentity.read(in: directory), current != identity { return log }
        // Whatever it was, records here may have numbers that it has given.
        let sequence = index.sessions.sequence
        try log.discard()
        index.startAnew()
        log = try makeLog(in: directory)
        try log.update(&index)
        index.sessions.goOn(from: sequence)
        return log
    }

    private static func makeLog(in directory: StateDirectory) throws(Errno) -> CheckedLog {
        // A lease on a value, and a purge of the store, hold the directory's own lock for as long as they take.
        try CheckedLog(
            StoreNames.log, in: directory, kind: logKind, access: .writing, gate: logGate)
    }

    private static var logGate: LogGate {
        .byte(StoreSession.gateByte, of: StoreNames.identity)
    }

    /// Enters this process in the log.
    ///
    /// - Parameter isInDoubt: set if the log tells nothing, or somebody may not have found all there is.
    /// - Returns: nil if the log is another store's.
    private static func begin(
        in directory: StateDirectory, _ identity: StoreIdentity, _ log: inout CheckedLog,
        _ index: inout CacheIndex, _ options: CacheOptions, _ now: Timestamp,
        isInDoubt: inout Bool
    ) throws(Errno) -> StoreSession? {
        var session: StoreSession?
        var hasDoubt = false
        // Whose values are to be found after a power cut is known by then.
        let isDurable = options.durability == .full
        try log.append(synchronizing: isDurable, &index) { (index) throws(Errno) in
            let hasNothing = index.fingerprint == nil
            guard hasNothing || index.fingerprint == identity.fingerprint else { return [] }
            hasDoubt = hasNothing || index.sessions.hasDoubt
            var records: [LogRecord] = []
            // What says that a session was opened may be broken: a segment of its owner's is not ours.
            let segments = index.segments
            let owners = segments.numbers.compactMap { segments[$0]?.owner }
            var last = max(index.sessions.last, owners.max() ?? 0)
            if hasNothing {
                records.append(StoreRecord.identity(identity.fingerprint, .new()))
                // All its files may have been removed under somebody who still has them open: their names must not
                // come again.
                last = .random(in: 1..<1 << 30)
                if try directory.names().allSatisfy({ !isNumbered($0) }) {
                    // Not further than what a list of segments reaches: it may go on from another store's log.
                    records.append(StoreRecord.segmentGone(.random(in: 1..<1 << 20)))
                }
            }
            let new = try StoreSession(after: last, in: directory)
            // As long as it lives the identity stays, but it may have become another before.
            if let current = try StoreIdentity.read(in: directory), current != identity {
                return []
            }
            session = new
            let settings = StoreSettings(options, index.settings)
            if !options.isVisitor, index.settings != settings {
                records.append(StoreRecord.settings(settings))
            }
            let sequence = index.sessions.next(at: now)
            records.append(StoreRecord.session(StoreRecord.opened, new.number, sequence))
            if hasDoubt {
                records.append(StoreRecord.session(StoreRecord.doubt, new.number, 1))
            }
            for record in records { index.record(record.type, record.payload[...], at: 0) }
            return records
        }
        isInDoubt = hasDoubt
        return session
    }

    /// No store has larger ones.
    static let longestSegment = 4 << 20

    static func segmentCapacity(_ options: CacheOptions) -> Int {
        min(longestSegment, max(64 << 10, Int(options.limit.bytes / 64)))
    }

    static func smallValueLimit(_ options: CacheOptions) -> Int {
        min(options.smallValueLimit, segmentCapacity(options) / 2)
    }

    func tick() -> StoreTick { StoreTick(clock(), since: identity.epoch) }

    // MARK: - Names

    private static func isNumbered(_ name: String) -> Bool {
        name.hasSuffix(".segment") || name.hasSuffix(".value")
    }

    // MARK: - Closing

    /// Writes down what is only in memory. The store can be used on; it then costs as much again.
    ///
    /// What is left to ``end()`` after it makes no file and removes none, unless files are still being looked into
    /// after the log was lost. That the session is over is not told here: others would take the store for one that
    /// they have to themselves, keep to themselves what they put, and not ask what is pinned.
    package func close() throws(Errno) {
        // Where files are still to be looked into that may take long.
        sweeper.pause { state.withLock { !$0.unknown.isEmpty } }
        sealOwnSegments()
        state.withLock { $0.tellsTotals = true }
        try flush(synchronizing: options.durability != .none, compacting: true)
        let isIdle = state.withLock { state in
            // Whoever is still putting has something to tell later.
            guard state.inFlight == 0, state.open.allSatisfy({ $0 == nil }), state.pending.isEmpty
            else { return false }
            state.hold(0)
            return true
        }
        step?(.closing)
        guard isIdle else { return }
        try flush()
        state.withLock { $0.changesAtClose = $0.changes }
    }

    /// Closes the store for good: nothing may be called any more, nor be under way.
    ///
    /// What was left out of it costs the next who opens it a look at what was written last. Whoever removes the
    /// directory meanwhile does not find it there again: neither the log nor a segment is made anew.
    package func end() {
        ending.begin()
        // What goes while files are still being read is known to nobody else.
        if state.withLock({ !$0.unknown.gone.isEmpty }) { try? finishLooking() }
        sweeper.stop()
        try? close()
        try? log.withLock { (log) throws(Errno) in
            // Whether the log is whole is known only when it has been read to its end.
            try append(to: &log) { state in
                guard state.unknown.isEmpty, state.inFlight == 0, state.pending.isEmpty,
                    state.leases.held.isEmpty
                else {
                    return
                }
                state.pending.add(
                    StoreRecord.session(StoreRecord.closed, session.number, state.sequence))
            }
        }
        if state.withLock({ $0.needsSnapshot }) { try? flush() }
        step?(.closed)
    }

    /// Returns when all that the log did not tell of has been looked into.
    package func finishSweeping() { sweeper.wait() }

    package var statistics: CacheStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.entries = state.index.count
            statistics.liveBytes = state.index.liveBytes
            statistics.allocated = state.occupied
            statistics.regrets = state.index.recent.regrets
            statistics.regretBytes = state.index.recent.regretBytes
            return statistics
        }
    }

    /// Bytes of memory that the index takes.
    package var indexMemory: Int { state.withLock { $0.index.memory } }
}
