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
    /// ``Int64/min``: not known.
    private let gainedBytes = Atomic<Int64>(.min)
    private let cancelled = Atomic<Bool>(false)
    private let path = Mutex<FilePath?>(nil)

    /// Measures what removing costs, for those who show a forecast.
    let meter: RemovalMeter?

    public init() { meter = nil }

    package init(meter: RemovalMeter) { self.meter = meter }

    public var removed: Int { removedCount.load(ordering: .relaxed) }
    public var skipped: Int { skippedCount.load(ordering: .relaxed) }
    /// What the removed items were expected to free.
    public var freed: ByteCount { ByteCount(freedBytes.load(ordering: .relaxed)) }
    /// What the volumes have really gained so far, by their own account; nil if they do not say, or
    /// before they were asked. Asked about once a second; others write and remove meanwhile.
    public var gained: ByteCount? {
        let bytes = gainedBytes.load(ordering: .relaxed)
        return bytes == .min ? nil : ByteCount(bytes)
    }
    public var currentPath: FilePath? { path.withLock { $0 } }
    public var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    /// Stops the purge before its next removal; of a directory that goes whole and has been begun, what is
    /// left goes with the next purge. Safe in a signal handler.
    public func cancel() { cancelled.store(true, ordering: .relaxed) }

    package func addRemoved(_ count: Int, bytes: Int64) {
        guard count > 0 || bytes > 0 else { return }
        removedCount.add(count, ordering: .relaxed)
        freedBytes.add(bytes, ordering: .relaxed)
    }

    /// Something has gone that is in a directory that goes whole; that counts once, when nothing of it is
    /// left.
    func addMember(_ bytes: Int64, isDirectory: Bool) {
        meter?.noteItem(bytes, isDirectory: isDirectory)
    }

    func addBytes(_ bytes: Int64) { freedBytes.add(bytes, ordering: .relaxed) }

    package func addSkipped() {
        skippedCount.add(1, ordering: .relaxed)
        meter?.noteItem(0)
    }

    func note(gained bytes: Int64?) { gainedBytes.store(bytes ?? .min, ordering: .relaxed) }

    package func note(_ current: FilePath) { path.withLock { $0 = current } }
}
