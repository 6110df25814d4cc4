//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
import HeadroomPlatform
import Synchronization
public import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Which version of each key was put or removed last, in memory that several processes share.
///
/// It lies in a file, so that it survives a process that is killed. While a key is changed its byte in that
/// file is locked, since of two changes at once nobody could say which is the last. The lock ends with its
/// process: an operation that had begun then counts as neither done nor not done.
@safe public final class SharedVersions: @unchecked Sendable {  // Atomics, and what never changes.
    /// What is known of a key: the number of the last change, and whether that removed it.
    public struct State: Hashable, Sendable {
        public var version: UInt64
        public var isRemoved: Bool

        init(_ word: UInt64) {
            version = word >> 1
            isRemoved = word & 1 != 0
        }
    }

    public let count: Int
    private let descriptor: Int32
    private let words: UnsafeMutablePointer<Atomic<UInt64>>
    /// Keys that threads of this process change; to the lock of the file they are all one.
    private let busy = Mutex<Set<Int>>([])

    /// Opens the table in a file; makes it if there is none.
    public init(_ path: FilePath, count: Int) throws {
        self.count = count
        let size = 16 * count
        descriptor = unsafe path.withPlatformString { path in
            unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        }
        guard descriptor >= 0, ftruncate(descriptor, off_t(size)) == 0,
            let memory = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            unsafe memory != MAP_FAILED
        else { throw FixtureError("map", on: path.description, errno: .current) }
        // Zeros are atomics of zero; the file has room for two for each key.
        unsafe words = memory.bindMemory(to: Atomic<UInt64>.self, capacity: 2 * count)
    }

    deinit {
        unsafe munmap(words, 16 * count)
        close(descriptor)
    }

    /// What the last change began to do, whether it came to its end or not.
    public func begun(_ key: Int) -> State {
        State(unsafe words[2 * key].load(ordering: .sequentiallyConsistent))
    }

    /// What the last change did that returned.
    public func returned(_ key: Int) -> State {
        State(unsafe words[2 * key + 1].load(ordering: .sequentiallyConsistent))
    }

    /// Changes a key, unless somebody else does so.
    ///
    /// - Parameter body: is given the version that it makes.
    /// - Returns: false if somebody else was at it.
    @discardableResult
    public func change(_ key: Int, removing: Bool, _ body: (UInt64) throws -> Void) throws -> Bool {
        guard busy.withLock({ $0.insert(key).inserted }) else { return false }
        defer { busy.withLock { _ = $0.remove(key) } }
        guard try StateLock.takeRange(descriptor, offset: UInt64(key), count: 1) else {
            return false
        }
        defer { StateLock.releaseRange(descriptor, offset: UInt64(key), count: 1) }
        let version = begun(key).version + 1
        let word = version << 1 | (removing ? 1 : 0)
        unsafe words[2 * key].store(word, ordering: .sequentiallyConsistent)
        try body(version)
        unsafe words[2 * key + 1].store(word, ordering: .sequentiallyConsistent)
        return true
    }

    // MARK: - Values

    /// A value that says which key and version it is of, in every part of it.
    public static func value(_ key: Int, _ version: UInt64, _ length: Int) -> [UInt8] {
        let length = max(24, length)
        var random = SeededGenerator(seed: UInt64(key) << 40 ^ version)
        var block: [UInt8] = []
        for word in [UInt64(key), version, UInt64(length)] + (0..<61).map({ _ in random.next() }) {
            for shift in 0..<8 { block.append(UInt8(truncatingIfNeeded: word >> (8 * shift))) }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        while bytes.count < length { bytes += block.prefix(length - bytes.count) }
        return bytes
    }

    /// What is wrong with something that was found.
    ///
    /// - Parameters:
    ///   - value: nil: nothing was found.
    ///   - known: what had returned before it was looked for.
    ///   - mayBeGone: nothing at all is right, too.
    public func problem(
        with value: [UInt8]?, _ key: Int, since known: State, mayBeGone: Bool
    ) -> String? {
        guard let value else {
            let begun = begun(key)
            let wasRemoved = known.isRemoved || begun.isRemoved
            // Changed more than once meanwhile: perhaps it was removed in between.
            if mayBeGone || known.version == 0 || wasRemoved || begun.version > known.version + 1 {
                return nil
            }
            return "key \(key): nothing, though version \(known.version) was put"
        }
        func word(_ start: Int) -> UInt64 {
            (0..<8).reduce(0) { $0 | UInt64(value[start + $1]) << (8 * $1) }
        }
        guard value.count >= 24 else { return "key \(key): \(value.count) bytes" }
        let version = word(8)
        if word(0) != key { return "key \(key): the value of \(word(0))" }
        if word(16) != value.count { return "key \(key): \(value.count) bytes of \(word(16))" }
        if value != Self.value(key, version, value.count) { return "key \(key): other bytes" }
        if version > begun(key).version {
            return "key \(key): version \(version) before it was put"
        }
        if version < known.version || version == known.version && known.isRemoved {
            let what = known.isRemoved ? "was removed" : "was put"
            return "key \(key): version \(version) after \(known.version) \(what)"
        }
        return nil
    }
}
