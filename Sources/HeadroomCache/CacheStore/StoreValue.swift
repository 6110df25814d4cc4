//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import HeadroomPlatform
import Synchronization
package import SystemPackage

/// A value that is read where it lies; it stays as it is though its entry is replaced or removed, and is not
/// evicted meanwhile.
package final class StoreValue: Sendable {
    package let length: Int
    /// Of its own: closed with this object.
    private let file: SharedFile
    private let lease: StoreLease?

    fileprivate init(_ file: SharedFile, _ length: Int, _ lease: StoreLease?) {
        self.file = file
        self.length = length
        self.lease = lease
    }

    /// An open descriptor of a file whose first ``length`` bytes are the value, for reading. As long as
    /// this object is there.
    package var descriptor: Int32 { file.descriptor.rawValue }

    /// Reads from an offset.
    ///
    /// - Returns: up to `count` bytes; fewer at the end, none outside of the value.
    package func read(_ count: Int, at offset: Int) throws(Errno) -> [UInt8] {
        guard count > 0, 0..<length ~= offset else { return [] }
        return try file.bytes(min(count, length - offset), at: UInt64(offset))
    }

    /// The value's bytes in memory, paged in as they are looked at; as long as the mapping is there.
    package func mapped() throws(Errno) -> MappedBytes { try MappedBytes(file, length) }
}

extension StoreCore {
    /// Opens the value of a key for reading it where it lies.
    ///
    /// Its checksum is compared first, which reads all of it once. A value that is packed with others is
    /// copied to a file without a name.
    package func open(_ key: RawSpan) throws(HeadroomError) -> StoreValue? {
        let hash = identity.hash(key)
        for _ in 0..<4 {
            let entry = state.withLock { $0.index.entry(hash) }
            // What is packed, is not there, or is so no more: as with every get.
            guard let entry, entry.isFile, entry.expiry > tick() else { return try openCopy(key) }
            do throws(Errno) {
                let lease = lease(entry)
                let file = try open(entry)
                if try isWhole(entry, key, file) {
                    let now = tick()
                    _ = state.withLock { $0.use(hash, at: now) }
                    return StoreValue(file, Int(entry.length), lease)
                }
            } catch {
                if !error.isNoSuchFile {
                    throw HeadroomError("read from the cache store", path, error)
                }
            }
            if state.withLock({ $0.watch })?.hasNews == true, try caughtUp() { continue }
            if try !isReplaced(entry, hash) { drop(entry) }
        }
        return nil
    }

    private func openCopy(_ key: RawSpan) throws(HeadroomError) -> StoreValue? {
        guard let bytes = try get(key) else { return nil }
        do throws(Errno) {
            let file = try SharedFile.nameless(in: directory)
            try unsafe file.write(bytes.span.bytes, RawSpan(), at: 0)
            return StoreValue(file, bytes.count, nil)
        } catch {
            throw HeadroomError("copy a value of the cache store", path, error)
        }
    }

    private func isWhole(
        _ entry: StoreEntry, _ key: RawSpan, _ file: SharedFile
    ) throws(Errno) -> Bool {
        let front = try file.bytes(entry.frontSize, at: entry.frontOffset)
        guard let header = RecordHeader(of: entry, in: unsafe front.span.bytes, under: key) else {
            return false
        }
        var sum = CRC32C()
        var offset = 0
        while offset < Int(entry.length) {
            let bytes = try file.bytes(min(1 << 18, Int(entry.length) - offset), at: UInt64(offset))
            if bytes.isEmpty { return false }
            unsafe sum.update(bytes.span.bytes)
            offset += bytes.count
        }
        return sum.value == header.valueSum
    }
}
