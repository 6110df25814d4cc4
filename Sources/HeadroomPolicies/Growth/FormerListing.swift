//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomInventory
public import HeadroomPlatform
public import SystemPackage

/// What a listing said of each path, kept small: to be compared with what is there now.
///
/// Paths are kept as hashes of 64 bits, about 32 bytes for each.
public struct FormerListing: Sendable {
    /// The directory that it is of.
    public private(set) var root = FilePath("/")
    /// When it was made, if it says so.
    public var time: Timestamp?
    /// Directories that could not be read then: what lies in them counts as new.
    public private(set) var unreadable = 0
    private var entries: [PathHash: Entry] = [:]

    struct Entry {
        private var packed: Int64

        /// What it occupied; of a directory, what the files in and below it did, each once.
        var allocated: Int64 { packed >> 1 }
        /// Whether it counts in the sums of its directories: other names of the same file do not.
        var isCounted: Bool { packed & 1 != 0 }

        init(_ allocated: Int64, isCounted: Bool) {
            packed = max(0, min(allocated, .max >> 1)) << 1 | (isCounted ? 1 : 0)
        }
    }

    subscript(path: PathHash) -> Entry? { entries[path] }

    /// Takes a listing in, step by step.
    public struct Builder {
        private var listing = FormerListing()
        private var frames: [(hash: PathHash, device: UInt64, sum: Int64)] = []
        private var links: Set<FileIdentity> = []

        public init() {}

        public mutating func add(_ event: NcduEvent) {
            switch event {
            case .beginDirectory(let entry): begin(entry)
            case .file(let entry): add(entry)
            case .endDirectory: end()
            }
        }

        private mutating func begin(_ entry: NcduEntry) {
            let hash: PathHash
            if let frame = frames.last {
                hash = frame.hash.appending(entry.name)
            } else {
                listing.root = FilePath(bytes: entry.name).lexicallyNormalized()
                hash = PathHash(listing.root)
            }
            if entry.hasReadError { listing.unreadable += 1 }
            frames.append((hash, entry.device ?? frames.last?.device ?? 0, 0))
        }

        private mutating func add(_ entry: NcduEntry) {
            // It was seen, and not looked into.
            guard let frame = frames.last, entry.exclusion == nil else { return }
            var isCounted = true
            if entry.isHardLink, let inode = entry.inode {
                let identity = FileIdentity(device: entry.device ?? frame.device, inode: inode)
                isCounted = links.insert(identity).inserted
            }
            let size = entry.allocatedSize.bytes
            listing.entries[frame.hash.appending(entry.name)] = Entry(size, isCounted: isCounted)
            if isCounted { frames[frames.count - 1].sum &+= size }
        }

        private mutating func end() {
            guard let frame = frames.popLast() else { return }
            listing.entries[frame.hash] = Entry(frame.sum, isCounted: false)
            if !frames.isEmpty { frames[frames.count - 1].sum &+= frame.sum }
        }

        public func finish(time: Timestamp?) -> FormerListing {
            var listing = listing
            listing.time = time
            return listing
        }
    }
}

/// A path, as a number of 64 bits that is its own in this run of the program.
struct PathHash: Hashable {
    private var value: Int

    init(_ path: FilePath) {
        value = 0
        for name in path.names { self = appending(name.bytes) }
    }

    func appending(_ name: [UInt8]) -> PathHash {
        var hasher = Hasher()
        hasher.combine(value)
        hasher.combine(name)
        var path = self
        path.value = hasher.finalize()
        return path
    }
}
