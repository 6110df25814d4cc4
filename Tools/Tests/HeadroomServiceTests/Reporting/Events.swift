//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import Synchronization
import SystemPackage

/// Events of an automation, about a volume of 1,000 MB at `/data`.
enum Events {
    static let volume = WatchedVolume(mountPoint: "/data", place: "/data/cache", type: "ext4")
    static let start = Timestamp(seconds: 1_800_000_000)

    static func pressure(
        available: ByteCount, isSilent: Bool = false, at time: Timestamp = Events.start
    ) -> VolumePressure {
        var gauge = PressureGauge()
        _ = gauge.take(
            PressureReading(
                time: .zero,
                answer: .figures(.init(available: available, total: .megabytes(1_000)))))
        var pressure = VolumePressure(mountPoint: "/data", gauge: gauge, lastRead: time)
        if isSilent { pressure.state = .silent }
        return pressure
    }

    static func read(
        available: ByteCount, isSilent: Bool = false, at time: Timestamp = Events.start
    ) -> AutomationEvent {
        .read(
            volume, pressure(available: available, isSilent: isSilent, at: time), .standard)
    }

    static func change(from level: PressureLevel?, available: ByteCount) -> PressureChange {
        PressureChange(volume: pressure(available: available), previousLevel: level)
    }

    static func need(_ resource: PolicyNeed.Resource, available: Int64 = 10) -> PolicyNeed {
        PolicyNeed(resource, at: .critical, available: available, target: 100, minimum: 0)
    }

    static func plight(
        _ resource: PolicyNeed.Resource, isReminder: Bool = false
    ) -> AutomationEvent {
        .plight(
            PolicyPlight(volume: "/data", need: need(resource), eligible: 3),
            isReminder: isReminder)
    }

    /// A purge of five items, two of which were in use, in two seconds.
    static func purge(missing: Int64, plights: [PolicyPlight] = []) -> PolicyResult {
        var receipt = Receipt(
            id: "2027-01-15-1", started: start, requester: "headroom serve", target: "free 10 MB")
        receipt.ended = start.advanced(by: .seconds(2))
        receipt.outcome = .completed
        receipt.expected = .megabytes(10)
        receipt.volumeGained = .megabytes(8)
        receipt.removedCount = 5
        receipt.skippedCount = 2
        receipt.perClass = [
            .init(name: "temporary", bytes: .megabytes(3), count: 2),
            .init(name: "cache", bytes: .megabytes(7), count: 3),
        ]
        receipt.skipped = ["/data/cache/a", "/data/cache/b"].map { path in
            .init(path: path, reason: Reason(.inUse, "It is in use."))
        }
        var result = PolicyResult(
            trigger: .levelChange,
            step: PolicyStep(.level(.critical), spending: .caches, needs: [need(.bytes)]),
            volume: "/data", outcome: .purged)
        result.receipt = receipt
        if missing > 0 { result.missing = [need(.bytes, available: 100 - missing)] }
        result.plights = plights
        return result
    }

    /// A run of one module that frees 4 MB of what it has, or fails.
    static func modules(
        bytes: ByteCount = .megabytes(6), fails: Bool = false
    ) async -> ModuleRun? {
        let group = ModuleGroup()
        group.register(Module(bytes: bytes, fails: fails))
        return await group.clean(
            freeing: .megabytes(4), level: .critical, trigger: .levelChange, through: .cache,
            timeLimit: .seconds(60))
    }

    private final class Module: StorageModule {
        let id = "com.example.mail"
        let displayName = "Mail"
        let quota: ByteCount? = nil
        let fails: Bool
        private let bytes: Mutex<ByteCount>

        init(bytes: ByteCount, fails: Bool) {
            self.bytes = Mutex(bytes)
            self.fails = fails
        }

        func usage() async throws -> ByteCount { bytes.withLock { $0 } }

        func clean(_ request: CleaningRequest) async throws {
            if fails { throw HeadroomError(.io, "The mail is locked.") }
            bytes.withLock { $0 = $0 - request.bytesWanted }
        }
    }
}
