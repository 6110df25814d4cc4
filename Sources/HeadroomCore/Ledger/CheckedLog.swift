//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
package import SystemPackage

/// A file of checksummed records: a snapshot, and what was appended since.
///
/// Several processes share one. Each keeps in memory what it built from the records
/// (``LogReplay``); ``update(_:)`` brings that up to date at the cost of the new bytes only.
/// Appends and compactions hold the file's flock(2) for as long as they take. A record that was
/// damaged costs that record; a record that a crash cut off at the end is dropped, as expected.
/// Compaction writes a new file with the next generation and renames it into place, so that at no
/// moment there is less than one complete log. Format: `Documentation/Design/0003-checked-log.md`.
///
/// All calls block. One thread at a time uses a value of this type.
package struct CheckedLog: ~Copyable {
    package enum Access: Sendable {
        /// Creates nothing and changes nothing.
        case reading
        /// Makes the file if it is missing.
        case writing
    }

    package let name: String
    let directory: StateDirectory
    let kind: UInt32
    let access: Access
    let gate: LogGate
    /// Called when a step is reached; for tests that end the process there.
    let step: (@Sendable (LogStep) -> Void)?
    var file: RegularFile
    package var identity: FileIdentity
    /// The generation of the file's records; nil until one was read from a file without a header.
    var generation: UInt32?
    var snapshotEnd: UInt64 = 0
    /// Up to here the file was replayed.
    package internal(set) var end: UInt64 = 0
    /// The file's length when it was last replayed; more than `end` if the tail is not good.
    package var scanned: UInt64 = 0
    var tail = Tail.clean
    /// The file's length when the tail was last looked at under the lock.
    var judged: UInt64?
    /// What was built up is of another file, or of a part of this one: it is made anew from the first record on.
    package var isReplayStale = false
    /// What is broken in the current file.
    package internal(set) var damage = LogDamage()
    /// Records were appended here that may not be on disk.
    private var isUnsynchronized = false
    /// The name of the last snapshot may not be on disk.
    var isNameUnsynchronized = false
    /// How long a lock is waited for.
    package var patience = lockLimit
    /// Whether one that was lost is made anew; else it is not there.
    package var isMadeAnew: @Sendable () -> Bool = { true }
    /// The file was not there and was made.
    package let wasCreated: Bool
    /// The file whose records were last replayed, and their generation.
    var replayed: (file: FileIdentity, generation: UInt32)?
    /// See ``takeLoss()``.
    var isLost = false

    /// What follows the last good record.
    enum Tail {
        case clean
        /// A record that was cut off.
        case torn
        case damaged
    }

    static let lockLimit = Duration.seconds(5)

    /// Opens a log; ``update(_:)`` reads it.
    ///
    /// - Parameters:
    ///   - name: the file's name in the directory. `<name>.new` is used too, or another if somebody has that.
    ///   - kind: four letters that tell one kind of log from another.
    ///   - gate: what is held while its file is made, replaced or removed; the same for all who have it open.
    /// - Throws: `ENOENT` when reading what is not there, `EINVAL` if it is no regular file.
    package init(
        _ name: String, in directory: StateDirectory, kind: UInt32, access: Access,
        gate: LogGate = .directory, step: (@Sendable (LogStep) -> Void)? = nil
    ) throws(Errno) {
        var wasCreated = false
        let file = try Self.open(name, in: directory, access) { () throws(Errno) in
            wasCreated = try Self.create(name, in: directory, kind: kind, gate: gate, step: step)
        }
        let identity = try file.status().identity
        self.name = name
        self.directory = directory
        self.kind = kind
        self.access = access
        self.gate = gate
        self.step = step
        self.wasCreated = wasCreated
        self.file = file
        self.identity = identity
    }

    /// Opens the file that has the name.
    ///
    /// - Parameter make: makes one if there is none, as long as somebody else removes it before it is open.
    private static func open(
        _ name: String, in directory: StateDirectory, _ access: Access,
        orMake make: () throws(Errno) -> Void
    ) throws(Errno) -> RegularFile {
        guard access == .writing else { return try RegularFile(name, in: directory, .reading) }
        var tries = 0
        while true {
            if !directory.contains(name) { try make() }
            do throws(Errno) {
                return try RegularFile(name, in: directory, .writing)
            } catch {
                tries += 1
                guard error == .noSuchFileOrDirectory, tries < 100 else { throw error }
            }
        }
    }

    /// Makes an empty log, complete from the first moment on.
    ///
    /// - Returns: false if somebody else made it meanwhile.
    private static func create(
        _ name: String, in directory: StateDirectory, kind: UInt32, gate: LogGate,
        step: (@Sendable (LogStep) -> Void)? = nil
    ) throws(Errno) -> Bool {
        let passage = try gate.enter(directory, limit: lockLimit)
        defer { extendLifetime(passage) }
        guard !directory.contains(name) else { return false }
        let header = LogHeader(kind: kind, generation: 1, snapshotEnd: UInt64(LogHeader.size))
        var temporary = ""
        let file = try makeTemporary(for: name, in: directory, kind: kind, named: &temporary)
        do {
            step?(.emptyMade)
            try file.write(header.bytes, at: 0)
            try file.synchronize()
            step?(.emptyWritten)
            try directory.rename(temporary, to: name)
            step?(.emptyNamed)
            try directory.synchronize()
        } catch {
            // Whatever is left of it is of no use; that it may not be there is fine.
            try? directory.remove(temporary)
            throw error
        }
        return true
    }

    /// Removes the file, unless another has its name by now.
    ///
    /// - Throws: what unlink(2) does; `EAGAIN` if somebody else is within the gate for more than five seconds.
    package func discard() throws(Errno) {
        // Nobody makes a new one meanwhile.
        let passage = try gate.enter(directory, limit: Self.lockLimit)
        defer { extendLifetime(passage) }
        guard try isCurrent() else { return }
        try directory.remove(name)
    }

    /// Bytes that were appended since the snapshot was written.
    package var appendedBytes: UInt64 { end > snapshotEnd ? end - snapshotEnd : 0 }

    /// Whether so much was appended that a snapshot is likely to be less than half as long.
    package var wantsCompaction: Bool { appendedBytes > max(256 << 10, 2 * snapshotEnd) }

    /// Whether what was read before is gone without a successor: the name stands for an older or a new log, or the
    /// file was cut within its snapshot. True once for each time, and only after the log was read from its
    /// beginning again.
    ///
    /// A snapshot that takes the place of a log has a higher generation; what anybody makes anew has the first.
    package mutating func takeLoss() -> Bool {
        defer { isLost = false }
        return isLost
    }

    // MARK: - Appending

    /// Appends records, after bringing `replay` up to date with what others appended.
    ///
    /// The new records are not given to `replay`; the caller knows them.
    ///
    /// - Parameter synchronizing: returns only when they are on disk. Without, a crash of the
    ///   machine may lose them; one of the process does not.
    /// - Throws: `ENOSPC` and others; nothing that was there is lost then, and none of the new
    ///   records is there, unless the error came from synchronizing.
    package mutating func append(
        _ records: [LogRecord], synchronizing: Bool, _ replay: inout some LogReplay & ~Copyable
    ) throws(Errno) {
        try append(synchronizing: synchronizing, &replay) { _ in records }
    }

    /// Appends the records that `make` decides on, once `replay` is up to date and nobody else can
    /// append anything.
    ///
    /// - Parameter make: no records: nothing is written. Its errors come out.
    package mutating func append<R: LogReplay & ~Copyable>(
        synchronizing: Bool, _ replay: inout R,
        _ make: (inout R) throws(Errno) -> [LogRecord]
    ) throws(Errno) {
        try lock(&replay)
        do {
            defer { unlock() }
            let records = try make(&replay)
            if !records.isEmpty { try write(records) }
        }
        step?(.appended)
        // Others need not wait for that.
        if synchronizing {
            try synchronize()
            step?(.appendSynchronized)
        }
    }

    /// Writes records to the end; under the lock.
    private mutating func write(_ records: [LogRecord]) throws(Errno) {
        let generation = self.generation ?? 1
        if tail == .torn { try file.truncate(end) }
        // What is damaged stays for whoever looks at it later; the marker leads past it.
        let start = tail == .damaged ? scanned : end
        var bytes: [UInt8] = []
        for record in records {
            LogFrame.append(
                record.type, record.payload, generation: generation,
                at: start + UInt64(bytes.count), to: &bytes)
        }
        do {
            try file.write(bytes, at: start)
        } catch {
            // If this fails too, the cut-off record is dropped at the next append.
            try? file.truncate(start)
            throw error
        }
        if tail == .damaged { noteDamage(from: end, to: start) }
        end = start + UInt64(bytes.count)
        scanned = end
        tail = .clean
        self.generation = generation
        isUnsynchronized = true
    }

    /// Returns when all that was appended here is on disk.
    private mutating func synchronize() throws(Errno) {
        if isUnsynchronized { try file.synchronizeData() }
        isUnsynchronized = false
        if isNameUnsynchronized { try directory.synchronize() }
        isNameUnsynchronized = false
    }

    /// A look at the file that needs neither this value nor a lock.
    package var watch: LogWatch {
        LogWatch(name, in: directory, identity, length: watchedLength)
    }

    /// A record that was cut off may be replaced by one that is as long.
    package var watchedLength: UInt64 { tail == .torn ? end : scanned }

    /// Takes the lock of the file that has the name now, and reads what is new in it.
    mutating func lock(_ replay: inout some LogReplay & ~Copyable) throws(Errno) {
        guard access == .writing else { throw .readOnlyFileSystem }
        while true {
            try StateLock.take(file.descriptor.rawValue, .exclusive, limit: patience)
            if try isCurrent() { break }
            // Somebody put a new generation into place while we waited.
            unlock()
            try reopen()
        }
        do {
            try read(&replay)
        } catch {
            unlock()
            throw error
        }
    }

    func unlock() { StateLock.release(file.descriptor.rawValue) }

    /// Whether the name still stands for the file that is open.
    func isCurrent() throws(Errno) -> Bool {
        do {
            return try directory.identity(of: name) == identity
        } catch .noSuchFileOrDirectory {
            return false
        }
    }

    /// Goes over to the file that has the name now. What was built up stays until that is read: its lock may
    /// not be had.
    mutating func reopen() throws(Errno) {
        let (kind, gate, isMadeAnew) = (kind, gate, isMadeAnew)
        let new = try Self.open(name, in: directory, access) { [name, directory] () throws(Errno) in
            guard isMadeAnew() else { throw .noSuchFileOrDirectory }
            _ = try Self.create(name, in: directory, kind: kind, gate: gate)
        }
        let newIdentity = try new.status().identity
        forgetPosition()
        file = new
        identity = newIdentity
        isReplayStale = true
    }

    mutating func forgetPosition() {
        if let generation { replayed = (identity, generation) }
        generation = nil
        snapshotEnd = 0
        end = 0
        scanned = 0
        tail = .clean
        judged = nil
        damage = LogDamage()
    }
}
