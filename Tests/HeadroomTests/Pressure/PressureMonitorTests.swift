//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

@Suite("R23: pressure as a stream", .timeLimit(.minutes(10)))
struct PressureMonitorTests {
    private let clock = ManualClock()

    private func monitor(_ volumes: ScriptedVolumes, _ places: [FilePath]) -> PressureMonitor {
        var settings = PressureSettings()
        // Of volumes of a few bytes.
        settings.possibleRate = .zero
        return PressureMonitor(
            of: places.map { PressureMonitor.Place($0, settings: settings) }, polling: volumes,
            clock: clock,
            now: { [clock] in Timestamp(seconds: 0).advanced(by: clock.now.offset) })
    }

    /// Lets a time pass in steps, from one reading to the next.
    private func pass(_ duration: Duration, sleepers: Int = 1) async {
        let end = clock.now.advanced(by: duration)
        while true {
            await clock.whenAsleep(sleepers)
            let rest = clock.now.duration(to: end)
            guard let next = clock.nextWake, next <= rest else {
                return clock.advance(by: rest)
            }
            clock.advance(by: next)
        }
    }

    @Test(.tags(.r23d)) func tellsTheLevelFirstAndThenItsChanges() async {
        let volumes = ScriptedVolumes(["/a": .init(device: 1, available: 500)], clock: clock)
        var changes = monitor(volumes, ["/a"]).makeAsyncIterator()
        let first = await changes.next()
        #expect(first?.level == .normal)
        #expect(first?.previousLevel == nil)
        #expect(first?.isWorse == false)
        #expect(first?.volume.mountPoint == "/a")
        volumes.change("/a") { $0.available = 70 }
        await pass(.seconds(60))
        let second = await changes.next()
        #expect(second?.previousLevel == .normal)
        #expect(second?.level == .warning)
        #expect(second?.isWorse == true)
        volumes.change("/a") { $0.available = 200 }
        await pass(.seconds(330))
        let third = await changes.next()
        #expect(third?.previousLevel == .warning)
        #expect(third?.level == .normal)
    }

    /// Also for two listeners: 60 s normal, 10 s warning, 2 s critical.
    @Test(.tags(.r23d)) func asksOncePerPollAtTheStatedIntervals() async {
        let volumes = ScriptedVolumes(["/a": .init(device: 1, available: 500)], clock: clock)
        let monitor = monitor(volumes, ["/a"])
        var changes = monitor.makeAsyncIterator()
        var others = monitor.makeAsyncIterator()
        _ = await changes.next()
        #expect(await others.next()?.level == .normal)
        func readings() async -> Int {
            await clock.whenAsleep(1)
            // Every ten minutes it is looked at anew what is mounted there.
            return volumes.script("/a").map { $0.polls + $0.looks } ?? 0
        }
        func polls(in duration: Duration) async -> Int {
            let before = await readings()
            await pass(duration)
            return await readings() - before
        }
        #expect(await polls(in: .seconds(300)) == 5)
        volumes.change("/a") { $0.available = 80 }
        await pass(.seconds(60))
        #expect(await changes.next()?.level == .warning)
        // It fell by 420 in a minute: 30 are left to critical, of whose 4.3 s half.
        #expect(await polls(in: .seconds(30)) == 14)
        await pass(.seconds(600))
        #expect(await polls(in: .seconds(300)) == 30)
        volumes.change("/a") { $0.available = 40 }
        await pass(.seconds(10))
        #expect(await changes.next()?.level == .critical)
        await pass(.seconds(800))
        #expect(await polls(in: .seconds(100)) == 50)
    }

    /// R28: also where the pause has begun already.
    @Test(.tags(.r28d)) func whatAForecastExpectsIsReadInTime() async {
        let volumes = ScriptedVolumes(["/a": .init(device: 1, available: 500)], clock: clock)
        let monitor = monitor(volumes, ["/a"])
        var changes = monitor.makeAsyncIterator()
        _ = await changes.next()
        await clock.whenAsleep(1)
        volumes.change("/a") { $0.available = 70 }
        monitor.expect(.seconds(30), of: "/b")
        #expect(monitor.volumes.first?.interval == .seconds(60))
        // The clock stands: it is read since it would come too late.
        monitor.expect(.seconds(30), of: "/a")
        #expect(await changes.next()?.level == .warning)
    }

    @Test(.tags(.r23c)) func aVolumeThatHangsDelaysNoOther() async {
        let volumes = ScriptedVolumes(
            [
                "/hung": .init(device: 1, available: 500, isHanging: true),
                "/a": .init(device: 2, available: 500),
            ], clock: clock)
        let monitor = monitor(volumes, ["/hung", "/a"])
        var changes = monitor.makeAsyncIterator()
        // The clock stands: nothing waits for the time limit of the other.
        let first = await changes.next()
        #expect(first?.volume.mountPoint == "/a")
        await pass(.seconds(2), sleepers: 2)
        let second = await changes.next()
        #expect(second?.volume.mountPoint == "/hung")
        #expect(second?.volume.state == .silent)
        #expect(second?.level == nil)
        #expect(second?.isWorse == false)
        volumes.change("/hung") { $0.isHanging = false }
        await pass(.seconds(60), sleepers: 2)
        let third = await changes.next()
        #expect(third?.volume.state == .answering)
        #expect(third?.level == .normal)
        #expect(monitor.volumes.count == 2)
    }

    @Test func placesOnOneVolumeAreReadOnce() async {
        let volumes = ScriptedVolumes(
            [
                "/a": .init(device: 1, available: 500), "/b": .init(device: 1, available: 500),
                "/c": .init(device: 2, available: 20),
            ], clock: clock)
        let monitor = monitor(volumes, ["/a", "/b", "/c"])
        await pass(.zero, sleepers: 0)
        let read = await monitor.read()
        #expect(read.count == 2)
        #expect(Set(read.map(\.level)) == [.normal, .critical])
    }

    @Test func readsAtOnceWhenAsked() async {
        let volumes = ScriptedVolumes(["/a": .init(device: 1, available: 500)], clock: clock)
        let monitor = monitor(volumes, ["/a"])
        #expect(monitor.volumes.isEmpty)
        #expect(await monitor.read().first?.level == .normal)
        #expect(volumes.script("/a")?.looks == 1)
        // Nobody listens: nothing is read.
        clock.advance(by: .seconds(300))
        #expect(volumes.script("/a")?.polls == 0)
        var changes = monitor.makeAsyncIterator()
        _ = await changes.next()
        await clock.whenAsleep(1)
        volumes.change("/a") { $0.available = 10 }
        #expect(await monitor.read().first?.level == .critical)
        #expect(await changes.next()?.level == .critical)
    }

    @Test func endsWhenItsTaskIsCancelledAndReadsNoMore() async {
        let volumes = ScriptedVolumes(["/a": .init(device: 1, available: 500)], clock: clock)
        let monitor = monitor(volumes, ["/a"])
        let listening = Task {
            var count = 0
            for await _ in monitor { count += 1 }
            return count
        }
        await clock.whenAsleep(1)
        listening.cancel()
        #expect(await listening.value <= 1)
        let polls = volumes.script("/a")?.polls
        for _ in 0..<5 { clock.advance(by: .seconds(60)) }
        #expect(volumes.script("/a")?.polls == polls)
        // And it can be listened to again.
        var changes = monitor.makeAsyncIterator()
        #expect(await changes.next()?.level == .normal)
    }

    @Test(.tags(.r23c)) func readOnlyIsToldAsHavingNoLevel() async {
        let volumes = ScriptedVolumes(
            ["/a": .init(device: 1, available: 10, isReadOnly: true)], clock: clock)
        var changes = monitor(volumes, ["/a"]).makeAsyncIterator()
        let first = await changes.next()
        #expect(first?.level == nil)
        #expect(first?.volume.state == .exempt(.readOnly))
        volumes.change("/a") { $0.isReadOnly = false }
        await pass(.seconds(60))
        #expect(await changes.next()?.level == .critical)
    }

    /// What was mounted there has gone, and another volume is there.
    @Test func noticesAnotherVolumeAtThePlace() async {
        let volumes = ScriptedVolumes(["/a": .init(device: 1, available: 10)], clock: clock)
        var changes = monitor(volumes, ["/a"]).makeAsyncIterator()
        #expect(await changes.next()?.level == .critical)
        volumes.change("/a") {
            $0.device = 2
            $0.available = 900
        }
        await pass(.seconds(2))
        let change = await changes.next()
        // Nothing of the one before keeps this one critical.
        #expect(change?.level == .normal)
        #expect(change?.previousLevel == nil)
    }

    /// A slow one gets the last of them, and no memory grows.
    @Test func keepsABoundedNumberOfChanges() async {
        let volumes = ScriptedVolumes(["/a": .init(device: 1, available: 500)], clock: clock)
        var changes = monitor(volumes, ["/a"]).makeAsyncIterator()
        for round in 0..<100 {
            volumes.change("/a") { $0.isReadOnly = round % 2 == 1 }
            await pass(.seconds(60))
        }
        await clock.whenAsleep(1)
        var count = 0
        volumes.change("/a") {
            $0.isReadOnly = false
            $0.available = 10
        }
        await pass(.seconds(60))
        while let change = await changes.next(), change.level != .critical { count += 1 }
        #expect(count <= 64)
        #expect(count > 30)
    }

    /// On this machine's own volumes, by the system.
    @Test func readsARealVolumeWithOneCallPerPoll() async throws {
        let directory = try TemporaryDirectory()
        let calls = Mutex(0)
        let polling = SystemVolumePolling { path throws(Errno) in
            calls.withLock { $0 += 1 }
            return try VolumeFigures(at: path)
        }
        let polled = try await polling.look(at: directory.path, timeLimit: .seconds(2))
        let real = try Volume.containing(directory.path)
        #expect(polled.volume.mountPoint == real.mountPoint)
        calls.withLock { $0 = 0 }
        for _ in 0..<10 {
            let volume = try await polling.poll(polled, timeLimit: .seconds(2))
            #expect(volume.figures?.total == real.figures?.total)
            #expect(volume.figures?.inodes == real.figures?.inodes)
        }
        #expect(calls.withLock { $0 } == 10)
        // What does not exist yet is asked where its volume is mounted.
        let missing = try await polling.look(
            at: directory.path.appending("not/there"), timeLimit: .seconds(2))
        #expect(missing.target == real.mountPoint)
        #expect(try await polling.poll(missing, timeLimit: .seconds(2)).figures != nil)
    }
}
