//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform
public import SystemPackage

/// What the files of a cache store say. Nothing is changed; somebody may have it open.
public struct CacheInspection: Hashable, Sendable {
    /// Of one class.
    public struct Sum: Hashable, Sendable {
        /// With what has expired and is still there, and keys of which it is known that there is nothing.
        public var entries = 0
        /// Of the values.
        public var bytes: Int64 = 0

        public init() {}
    }

    /// Something that is not as it was written.
    public struct Problem: Hashable, Sendable {
        public enum Kind: String, Hashable, Sendable {
            /// The index file has stretches that cannot be read.
            case damagedIndex
            /// The index file is missing, or is another store's.
            case lostIndex
            /// The file `store` is missing or damaged.
            case lostIdentity
            /// A file that entries lie in is not there, or cannot be read.
            case missingFile
            /// The bytes of a value are not those that were put.
            case damagedValue
            /// A file that the index does not know.
            case unknownFile
        }
        public var kind: Kind
        /// Of the file, in the store's directory.
        public var name: String
        /// How many entries it concerns.
        public var entries: Int

        /// What it means, and what becomes of it.
        public var message: String {
            switch kind {
            case .damagedIndex:
                "The index file cannot be read in places: "
                    + "the next to open the store reads the files instead."
            case .lostIndex:
                "There is no index file: the next to open the store makes it again from the files."
            case .lostIdentity:
                "The file that names the store cannot be read: "
                    + "it is made again, and the index with it."
            case .missingFile: "The file cannot be read: the values in it are lost."
            case .damagedValue:
                "Values are not as they were put: they are not given out, and go when asked for."
            case .unknownFile:
                "The index does not know this file: it is looked into when the store is opened."
            }
        }
    }

    public var sums: [PurgeableClass: Sum] = [:]
    public var expired = Sum()
    /// Keys of which it is known that there is nothing.
    public var negative = 0
    public var tags = 0
    public var segments = 0
    public var files = 0
    /// Bytes of records that are of use.
    public var liveBytes: Int64 = 0
    /// Bytes of all segments and values on the volume.
    public var allocated: Int64 = 0
    /// Bytes of the index file.
    public var indexBytes: Int64 = 0
    /// Processes that have the store open now.
    public var processes = 0
    public var created: Timestamp?
    /// What was done with it since it was made: as it was told when it was closed, and now and then.
    public var totals = CacheTotals()
    /// What those who use it let it occupy, and in which order values go; nil: the index does not say.
    public var limit: ByteCount?
    public var policy: CachePolicy?
    public var problems: [Problem] = []
    /// The values were read and compared.
    public private(set) var isVerified = false
    /// Values that were not there when they were to be read, while somebody had the store open: as far as can
    /// be told they were replaced or evicted, and the index has not heard of it yet.
    public var unsettled = 0

    public var entries: Int { sums.values.reduce(0) { $0 + $1.entries } }

    /// Looks at a store.
    ///
    /// - Parameters:
    ///   - verifying: reads all values and compares their checksums.
    ///   - progress: is told how many values have been read, and how many of their bytes; false ends it,
    ///     and then ``isVerified`` is false.
    /// - Throws: `notFound`; `invalid` if the directory is no cache store; `notPermitted`, `io`.
    public init(
        of path: FilePath, verifying: Bool = false, now: Timestamp = .now(),
        progress: (_ values: Int, _ bytes: Int64, _ of: Int64) -> Bool = { _, _, _ in true }
    ) throws(HeadroomError) {
        do throws(Errno) {
            let directory = try StateDirectory(opening: path)
            let names = try directory.names()
            guard names.contains(StoreNames.identity) || names.contains(StoreNames.log)
            else { throw .invalidArgument }
            try inspect(directory, names, verifying, now, progress)
        } catch .invalidArgument {
            throw HeadroomError(
                .invalid,
                "\(path.displayText) is no cache store: it has neither the file \"store\" nor "
                    + "\"index.log\". Name the directory that was given to the app's CacheStore.")
        } catch {
            throw HeadroomError("inspect the cache store", path, error)
        }
    }

    private mutating func inspect(
        _ directory: StateDirectory, _ names: [String], _ verifying: Bool, _ now: Timestamp,
        _ progress: (Int, Int64, Int64) -> Bool
    ) throws(Errno) {
        // Who comes later has put nothing of what is listed.
        let wasOpen = CacheVerification.isOpen(directory)
        var index = CacheIndex(policy: .leastRecentlyUsed)
        if names.contains(StoreNames.log) {
            var log = try CheckedLog(
                StoreNames.log, in: directory, kind: StoreCore.logKind, access: .reading)
            try log.update(&index)
            indexBytes = Int64(clamping: log.scanned)
            if !log.damage.isEmpty { note(.damagedIndex, StoreNames.log, 0) }
        } else {
            note(.lostIndex, StoreNames.log, 0)
        }
        let identity = try StoreIdentity.read(in: directory)
        created = identity?.created
        if identity == nil { note(.lostIdentity, StoreNames.identity, 0) }
        if let identity, let known = index.fingerprint, known != identity.fingerprint {
            note(.lostIndex, StoreNames.log, index.count)
            index.removeAll()
        }
        processes = Self.living(index.sessions, directory)
        count(index, at: identity.map { StoreTick(now, since: $0.epoch) })
        try compare(index, directory, names, isOpen: wasOpen || processes > 0)
        guard verifying, let identity else { return }
        let verification = CacheVerification(
            identity: identity, directory: directory, wasOpen: wasOpen || processes > 0)
        guard let findings = verification.findings(index, progress) else { return }
        isVerified = true
        for (entry, state) in findings {
            let name = CacheVerification.fileName(of: entry)
            switch state {
            case .whole: break
            case .unsettled: unsettled += 1
            case .gone, .unreadable: note(.missingFile, name, 1)
            case .damaged: note(.damagedValue, name, 1)
            }
        }
    }

    private static func living(_ sessions: SessionTable, _ directory: StateDirectory) -> Int {
        guard let file = try? SharedFile.open(StoreNames.identity, in: directory)
        else { return 0 }
        return sessions.accounts.keys.count { StoreSession.isAlive($0, file) }
    }

    private mutating func count(_ index: borrowing CacheIndex, at now: StoreTick?) {
        var place = 0
        while true {
            let entries = index.entries(from: &place, count: 1024)
            if entries.isEmpty { break }
            for entry in entries {
                if entry.flags.contains(.isNegative) { negative += 1 }
                sums[entry.purgeClass, default: Sum()].entries += 1
                sums[entry.purgeClass, default: Sum()].bytes += Int64(entry.length)
                if let now, entry.expiry <= now {
                    expired.entries += 1
                    expired.bytes += Int64(entry.length)
                }
            }
        }
        totals = index.totals
        limit = index.settings?.limit
        policy = index.settings?.policy
        liveBytes = index.liveBytes
        tags = index.tags.hashes.count
    }

    /// Compares the files with what the index knows.
    private mutating func compare(
        _ index: borrowing CacheIndex, _ directory: StateDirectory, _ names: [String], isOpen: Bool
    ) throws(Errno) {
        let numbers = index.fileNumbers()
        for name in names.sorted() where name.hasSuffix(".segment") || name.hasSuffix(".value") {
            guard let status = try? SharedFile.open(name, in: directory).status() else { continue }
            allocated += status.allocatedSize.bytes
            let number = UInt64(name.prefix { $0 != "." }, radix: 16)
            let isSegment = name.hasSuffix(".segment")
            if isSegment { segments += 1 } else { files += 1 }
            let isKnown =
                isSegment
                ? number.flatMap { UInt32(exactly: $0) }.map { index.segments[$0] != nil } ?? false
                : number.map { numbers.contains($0) } ?? false
            if !isKnown, !isOpen { note(.unknownFile, name, 0) }
        }
    }

    private mutating func note(_ kind: Problem.Kind, _ name: String, _ entries: Int) {
        if let last = problems.indices.last, problems[last].kind == kind,
            problems[last].name == name
        {
            problems[last].entries += entries
        } else {
            problems.append(Problem(kind: kind, name: name, entries: entries))
        }
    }
}
