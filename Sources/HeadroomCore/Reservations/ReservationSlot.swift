//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
import Synchronization
package import SystemPackage

/// A live reservation, for as long as this exists and its process lives.
package final class ReservationSlot: Sendable {
    private let file: RegularFile
    private let key: OwnSlots.Key
    private let fileSystem: UInt64

    init(
        _ file: consuming RegularFile, _ key: OwnSlots.Key, _ fileSystem: UInt64
    ) {
        self.file = file
        self.key = key
        self.fileSystem = fileSystem
        OwnSlots.insert(key)
    }

    deinit {
        // The lock goes with the descriptor, which a child just forked may have for a moment more.
        try? set(.zero)
        OwnSlots.remove(key)
    }

    /// What the lock is held by, for a command that takes the place of this process.
    package var descriptor: Int32 { file.descriptor.rawValue }

    /// Changes what is reserved.
    package func set(_ bytes: ByteCount) throws(Errno) {
        try StateLock.take(file.descriptor.rawValue, .exclusive, limit: .seconds(5))
        defer { StateLock.release(file.descriptor.rawValue) }
        try file.write(ReservationTable.encode(bytes, fileSystem), at: key.offset)
    }
}

/// The slots of this process, of all tables: its own writing is not held back by them.
package enum OwnSlots {
    struct Key: Hashable {
        let directory: FilePath
        let offset: UInt64
    }

    private static let keys = Mutex<Set<Key>>([])

    static func insert(_ key: Key) { keys.withLock { _ = $0.insert(key) } }

    static func remove(_ key: Key) { keys.withLock { _ = $0.remove(key) } }

    package static func offsets(in directory: FilePath) -> Set<UInt64> {
        keys.withLock { keys in Set(keys.filter { $0.directory == directory }.map(\.offset)) }
    }
}
