//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
import Synchronization
public import SystemPackage

/// What a running purge has done, and the way to stop it; read from any thread.
public final class PurgeProgress: Sendable {
    private let removedCount = Atomic<Int>(0)
    private let skippedCount = Atomic<Int>(0)
    private let freedBytes = Atomic<Int64>(0)
    private let cancelled = Atomic<Bool>(false)
    private let path = Mutex<FilePath?>(nil)

    public init() {}

    public var removed: Int { removedCount.load(ordering: .relaxed) }
    public var skipped: Int { skippedCount.load(ordering: .relaxed) }
    /// What the removed items were expected to free.
    public var freed: ByteCount { ByteCount(freedBytes.load(ordering: .relaxed)) }
    public var currentPath: FilePath? { path.withLock { $0 } }
    public var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    /// Stops the purge before its next item. Safe in a signal handler.
    public func cancel() { cancelled.store(true, ordering: .relaxed) }

    func addRemoved(_ count: Int, bytes: Int64) {
        guard count > 0 else { return }
        removedCount.add(count, ordering: .relaxed)
        freedBytes.add(bytes, ordering: .relaxed)
    }

    func addBytes(_ bytes: Int64) { freedBytes.add(bytes, ordering: .relaxed) }

    func addSkipped() { skippedCount.add(1, ordering: .relaxed) }

    func note(_ current: FilePath) { path.withLock { $0 = current } }
}
