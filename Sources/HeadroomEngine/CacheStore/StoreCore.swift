//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

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
    let clock: @Sendable () -> Timestamp
    /// How long a segment gets.
    let segmentCapacity: Int
    let state: Mutex<State>
    /// Making room, closing segments and moving records: one thread at a time.
    let maintenance = Mutex<Void>(())
    /// Taken before the state where both are.
    let log: Mutex<LogState>

    struct State: ~Copyable {
        var index: CacheIndex
        /// Of segments that are open, or were read not long ago.
        var files: [UInt32: SharedFile] = [:]
        /// The segment that is written to, by the code of its class.
        var open: [UInt32?] = [nil, nil, nil]
        var pending = PendingRecords()
        var sequence: UInt64 = 0
        var statistics = CacheStatistics()
    }

    struct LogState: ~Copyable {
        var log: CheckedLog
    }

    /// More files than this are not kept open for reading.
    static let openFileLimit = 128
    static let logName = "index.log"
    static let logKind: UInt32 = 0x4349_4458
    /// Entries that are kept back from the log.
    static let batch = 256
    static let keyLimit = 1024

    /// Opens a store; makes it if there is none.
    ///
    /// Costs the reading of its index file; segments and values are not looked at unless the store was
    /// not closed properly, and then only what was written last.
    package init(
        at path: FilePath, _ options: CacheOptions,
        clock: @escaping @Sendable () -> Timestamp = { Timestamp.now() }
    ) throws(HeadroomError) {
        self.path = path
        self.options = options
        self.clock = clock
        guard options.limit.bytes >= 1 << 20 else {
            throw HeadroomError(
                .invalid,
                "A limit of \(options.limit) is too small for a cache store. Give it 1 MiB or more."
            )
        }
        segmentCapacity = Int(min(4 << 20, max(64 << 10, options.limit.bytes / 64)))
        do throws(Errno) {
            let directory = try StateDirectory(creating: path)
            let (identity, isNew) = try StoreIdentity.open(in: directory, now: clock())
            if isNew { try? directory.remove(Self.logName) }
            var log = try CheckedLog(
                Self.logName, in: directory, kind: Self.logKind, access: .writing)
            var index = CacheIndex(policy: options.policy)
            try log.update(&index)
            self.directory = directory
            self.identity = identity
            state = Mutex(State(index: index))
            self.log = Mutex(LogState(log: log))
        } catch {
            throw HeadroomError("open the cache store", path, error)
        }
        do throws(Errno) {
            try recover()
            try flush()
        } catch {
            throw HeadroomError("recover the cache store", path, error)
        }
    }

    func tick() -> StoreTick { StoreTick(clock(), since: identity.epoch) }

    // MARK: - Names

    static func segmentName(_ number: UInt32) -> String { name(UInt64(number), "segment") }
    static func fileName(_ number: UInt64) -> String { name(number, "value") }

    private static func name(_ number: UInt64, _ kind: String) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits + "." + kind
    }

    // MARK: - The log

    /// Writes what waits to the log.
    ///
    /// - Parameters:
    ///   - synchronizing: and returns when it is on disk, values included.
    ///   - compacting: and replaces all that was appended by a snapshot.
    package func flush(
        synchronizing: Bool = false, compacting: Bool = false
    ) throws(Errno) {
        if synchronizing {
            let files = state.withLock { state in
                state.open.compactMap { $0 }.compactMap { state.files[$0] }
            }
            for file in files { try file.synchronizeData() }
        }
        try log.withLock { (log) throws(Errno) in
            let records = state.withLock { $0.pending.take() }
            guard !records.isEmpty || synchronizing else { return }
            var others = ForeignRecords()
            try log.log.append(records, synchronizing: synchronizing, &others)
            // A snapshot is read much faster than what led to it.
            guard log.log.wantsCompaction || compacting && log.log.appendedBytes > 1 << 16 else {
                return
            }
            try state.withLock { (state) throws(Errno) in
                // What came meanwhile is in the snapshot, too; said twice it does no harm.
                try log.log.compact(&others) { snapshot, _, _ in
                    state.index.write(to: &snapshot)
                }
            }
        }
    }

    /// What other processes have written.
    private struct ForeignRecords: LogReplay {
        mutating func restart() {}
        mutating func record(_ type: UInt8, _ payload: ArraySlice<UInt8>, at offset: UInt64) {}
    }

    // MARK: - Closing

    /// Writes down what is only in memory. The store can be used on; it then costs as much again.
    package func close() throws(Errno) {
        closeSegments()
        try flush(synchronizing: options.durability != .none, compacting: true)
        state.withLock { $0.pending.add(StoreRecord.closed) }
        try flush()
    }

    private func closeSegments() {
        for code in 0..<3 {
            guard let number = state.withLock({ $0.open[code] }) else { continue }
            seal(number)
        }
    }

    package var statistics: CacheStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.entries = state.index.count
            statistics.liveBytes = state.index.liveBytes
            statistics.allocated = state.index.allocated
            return statistics
        }
    }

    /// Bytes of memory that the index takes.
    package var indexMemory: Int { state.withLock { $0.index.memory } }
}
