//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("R25: launch, version change and interval")
struct LaunchTests {
    private let fixture: StorageFixture

    init() throws {
        fixture = try StorageFixture()
    }

    /// A part of an app that notes why it is called.
    private struct Module: StorageModule {
        let id = "messages"
        let quota: ByteCount? = .megabytes(1)
        let triggers = Log()

        func usage() async throws -> ByteCount { .megabytes(3) }
        func clean(_ request: CleaningRequest) async throws { await triggers.add(request.trigger) }
    }

    private actor Log {
        private(set) var all: [CleaningTrigger] = []
        func add(_ trigger: CleaningTrigger) { all.append(trigger) }
    }

    @Test(.tags(.r25a)) func theFirstLaunchCleansAndTheNextOnlyWhenItIsTime() async throws {
        let day = 86400
        #expect(await fixture.storage.start().trigger == .interval)
        #expect(await fixture.storage.start().trigger == .launch)
        let hours = try fixture.storage(after: .seconds(day / 2))
        #expect(await hours.start().trigger == .launch)
        let next = try fixture.storage(after: .seconds(day * 3 / 2))
        #expect(await next.start().trigger == .interval)
        #expect(await next.start().trigger == .launch)
        #expect(await next.start(interval: .zero).trigger == .interval)
    }

    /// As when the system wants the time of a background task back.
    @Test(.tags(.r25a)) func aCleaningThatWasCutOffIsDueAgain() async throws {
        let storage = fixture.storage
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await storage.start()
        }
        #expect(await task.value.trigger == .interval)
        #expect(await storage.start().trigger == .interval)
        #expect(await storage.start().trigger == .launch)
    }

    /// An app and its group have one owner and one ledger.
    @Test func eachStorageOfAnOwnerIsCleanedForItself() async throws {
        for name in ["app/Documents", "app/Library/Caches", "app/tmp", "group/Library/Caches"] {
            try fixture.tree.file(TreePath(stringLiteral: name + "/x"), size: .kilobytes(4))
        }
        try fixture.tree.file("group/.com.apple.mobile_container_manager.metadata.plist")
        let clock = { @Sendable in Timestamp.wallClock() }
        let containers = try ["app", "group"].map { name in
            try Storage(
                container: URL(filePath: fixture.base.path.appending(name).string),
                owner: "Podcaster", ledgerDirectory: fixture.base.path.appending("ledger"),
                clock: clock)
        }
        for storage in [fixture.storage] + containers {
            #expect(await storage.start(version: "1").trigger == .interval)
            #expect(await storage.start(version: "1").trigger == .launch)
        }
        for storage in containers + [fixture.storage] {
            #expect(await storage.start(version: "2").trigger == .versionChange)
        }
        #expect(try await fixture.anotherProcess().start(version: "2").trigger == .launch)
    }

    @Test(.tags(.r25a)) func anotherVersionCleansAtOnce() async throws {
        #expect(await fixture.storage.start(version: "1.0").trigger == .interval)
        #expect(await fixture.storage.start(version: "1.0").trigger == .launch)
        #expect(await fixture.storage.start(version: "1.1").trigger == .versionChange)
        #expect(try await fixture.anotherProcess().start(version: "1.1").trigger == .launch)
        // Who does not say has not changed.
        #expect(await fixture.storage.start().trigger == .launch)
        #expect(await fixture.storage.start(version: "1.1").trigger == .launch)
    }

    @Test(
        "A version that was not told before is recorded at the next launch, be it time to clean or not",
        .tags(.r25a)
    )
    func recordsTheVersionAtEveryLaunch() async throws {
        #expect(await fixture.storage.start().trigger == .interval)
        // The app has begun to say its version.
        #expect(await fixture.storage.start(version: "1").trigger == .launch)
        #expect(await fixture.storage.start(version: "2").trigger == .versionChange)
    }

    @Test("A version is recorded also when its cleaning was cut off, which stays due", .tags(.r25a))
    func recordsTheVersionOfACutOffCleaning() async throws {
        let storage = fixture.storage
        await storage.start(version: "1")
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await storage.start(version: "2")
        }
        #expect(await task.value.trigger == .versionChange)
        // Back to the version before: another one than the last that ran.
        #expect(await storage.start(version: "1").trigger == .versionChange)
        #expect(await storage.start(version: "1").trigger == .launch)
    }

    @Test("The report counts everything that the launch has freed", .tags(.r25a))
    func countsEverythingThatWasFreed() async throws {
        let storage = fixture.storage
        // Of a process that died while it saved.
        try fixture.tree.file("home/Documents/.headroom-saving-dead-0", size: ByteCount(8192))
        try fixture.tree.age("home/Documents/.headroom-saving-dead-0", by: .seconds(86400))
        _ = try await storage.purgeableDirectory("Maps", retention: .days(9))
        _ = try await storage.save(Data.pattern(12_000), as: .cache, named: "Maps/tile")
        let later = try fixture.storage(after: .seconds(10 * 86400))
        later.register(Emptied(ByteCount(1_000_000)))
        let report = await later.start()
        #expect(report.freedByOrphans == ByteCount(8192))
        #expect(report.directories.freed == ByteCount(12_288))
        let cleaned = report.cleaned?.expected ?? .zero
        #expect(report.modules?.freed == ByteCount(1_000_000))
        #expect(report.freed == ByteCount(8192 + 12_288 + 1_000_000) + cleaned)
    }

    /// A part of an app that frees all that it has, which is more than its quota.
    private final class Emptied: StorageModule {
        let id = "emptied"
        let quota: ByteCount? = .zero
        private let size: Mutex<ByteCount>
        init(_ size: ByteCount) { self.size = Mutex(size) }
        func usage() async throws -> ByteCount { size.withLock { $0 } }
        func clean(_ request: CleaningRequest) async throws { size.withLock { $0 = .zero } }
    }

    @Test func whatHasExpiredGoesThenAndLiveCachesStay() async throws {
        await fixture.storage.start()
        _ = try await fixture.storage.save(Data.pattern(5000), as: .cache, named: "live")
        _ = try await fixture.storage.purgeableDirectory("Maps", retention: .days(9))
        _ = try await fixture.storage.save(Data.pattern(5000), as: .cache, named: "Maps/tile")
        let report = try await fixture.storage(after: .seconds(10 * 86400)).start()
        #expect(report.directories.freed == ByteCount(8192))
        #expect(try fixture.names("home/.cache/Podcaster/Maps") == [])
        #expect(fixture.tree.exists("home/.cache/Podcaster/live"))
    }

    @Test func modulesOverTheirQuotaAreAskedThen() async throws {
        let module = Module()
        fixture.storage.register(module)
        let first = await fixture.storage.start(version: "1")
        #expect(first.modules?.modules.map(\.outcome) == [.cleaned])
        #expect(await fixture.storage.start(version: "1").modules == nil)
        await fixture.storage.start(version: "2")
        #expect(await module.triggers.all == [.interval, .versionChange])
    }

    @Test(.tags(.r25a)) func aClockThatWentBackDoesNotPutItOff() async throws {
        let ahead = try fixture.storage(after: .seconds(400 * 86400))
        #expect(await ahead.start().trigger == .interval)
        #expect(await fixture.storage.start().trigger == .interval)
        #expect(await fixture.storage.start().trigger == .launch)
    }
}
