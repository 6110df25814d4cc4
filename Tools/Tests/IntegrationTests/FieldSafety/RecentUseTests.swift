//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// Files that a program has just used or is about to use, and is not holding open.
@Suite(
    "R43: recently used files in a home", .serialized, .blocks,
    .enabled(if: FieldSandbox.isPossible, FieldSandbox.needs))
struct RecentUseTests {
    private let home = FieldSandbox.home

    /// Files that are older than any `min-idle`, and then files of programs at work.
    private func sandboxAtWork() throws -> FieldSandbox {
        let sandbox = try FieldSandbox()
        sandbox.file("/tmp/three-hours/f", age: .hours(3))
        sandbox.file("\(home)/.cache/two-hours/f", age: .hours(2))
        sandbox.file("/tmp/read-again/f", age: .days(20))
        try sandbox.settle()
        sandbox.file("/tmp/compiler/stage1.s", size: 400)
        sandbox.file("/tmp/twenty-minutes/f", age: .minutes(20))
        sandbox.directory("/tmp/job")
        sandbox.file("\(home)/.cache/new-app/index")
        try sandbox.shell("cat /tmp/read-again/f >/dev/null")
        return sandbox
    }

    @Test(
        "Keeps temporary files and caches that were used within min-idle, and purges older ones",
        .tags(.s5d, .r43a, .r43b))
    func keepsRecentlyUsedFiles() throws {
        let sandbox = try sandboxAtWork()
        let purge = try sandbox.headroom("purge", "--all", "--yes")
        #expect(purge.exitCode == 0, "\(purge)")
        try sandbox.expectKept(
            "/tmp/compiler/stage1.s", "/tmp/twenty-minutes/f", "/tmp/job", "/tmp/read-again/f",
            "\(home)/.cache/new-app/index")
        try sandbox.expectPurged("/tmp/three-hours/f", "\(home)/.cache/two-hours/f")
        try sandbox.expectControlsPurged()
    }

    @Test("Purges recently used files when --min-idle 0s asks for them", .tags(.r43b))
    func purgesRecentFilesOnRequest() throws {
        let sandbox = try sandboxAtWork()
        let purge = try sandbox.headroom("purge", "--all", "--min-idle", "0s", "--yes")
        #expect(purge.exitCode == 0, "\(purge)")
        try sandbox.expectPurged(
            "/tmp/compiler/stage1.s", "/tmp/twenty-minutes/f", "\(home)/.cache/new-app/index")
    }

    @Test("An automatic sweep keeps the files of a build that fills the volume", .tags(.s5d, .r43b))
    func sweepKeepsBuild() throws {
        let sandbox = try FieldSandbox()
        sandbox.file("/tmp/last-week/f", size: 3_000_000, age: .days(8))
        try sandbox.settle()
        sandbox.prepare(
            """
            parents \(home)/.config/headroom 4100
            echo 'mode: act' >\(home)/.config/headroom/headroom.yaml
            chown 4100 \(home)/.config/headroom/headroom.yaml
            chmod 600 \(home)/.config/headroom/headroom.yaml
            parents /tmp/build 4100
            number=0
            while [ "$(df --output=pcent /tmp | tr -dc 0-9)" -lt 94 ]; do
                number=$((number + 1))
                put /tmp/build/$number.o 4000000 0 4100
            done
            """)
        try sandbox.flush()
        let before = try sandbox.listing("/tmp/build")
        #expect(!before.isEmpty)
        let sweep = try sandbox.headroom("sweep")
        #expect([0, 3].contains(sweep.exitCode), "\(sweep)")
        #expect(try sandbox.listing("/tmp/build") == before)
        try sandbox.expectPurged("/tmp/last-week/f")
    }

    @Test(
        "Pauses all age rules after the clock jumped ahead", .tags(.r25e, .r43g),
        .enabled(if: ClockShim.isPossible, "needs a C compiler"))
    func pausesAgeRulesAfterClockJump() throws {
        let sandbox = try FieldSandbox()
        sandbox.file("/tmp/last-week/f", age: .days(8))
        try sandbox.settle()
        let shim = try ClockShim(in: sandbox)
        try sandbox.shell("mkdir ~/scans")
        let added = try sandbox.headroom("dir", "add", "\(home)/scans", "--retention", "14d")
        #expect(added.exitCode == 0, "\(added)")
        // With the right clock age rules hold.
        try sandbox.headroom("purge", "--older-than", "10d", "--yes")
        try sandbox.expectControlsPurged()
        try sandbox.expectKept("/tmp/last-week/f")
        sandbox.file("\(home)/scans/1.pdf")
        sandbox.file("/tmp/job/state")
        sandbox.file("\(home)/.cache/app/f")
        let later = shim.environment(movedBy: .days(30))
        try sandbox.headroom("dir", "check", environment: later)
        try sandbox.headroom("purge", "--expired", "--yes", environment: later)
        try sandbox.headroom("purge", "--older-than", "10d", "--yes", environment: later)
        try sandbox.expectKept("\(home)/scans/1.pdf", "/tmp/job/state", "\(home)/.cache/app/f")
        let words = "The clock was moved ahead"
        let explained = try sandbox.headroom(
            "explain", "\(home)/scans/1.pdf", "--json", environment: later)
        #expect(explained.output.contains(words), "\(explained)")
        let doctor = try sandbox.headroom("doctor", "--json", environment: later)
        #expect(doctor.output.contains(words), "\(doctor)")
    }
}

/// ``ClockOffset`` in a sandbox.
struct ClockShim {
    static var isPossible: Bool { ClockOffset.isPossible }

    private static let library = "/run/clock.so"

    /// Copies the library into a sandbox, and checks that it works there.
    init(in sandbox: FieldSandbox) throws {
        try sandbox.copy(try #require(ClockOffset.library), to: Self.library)
        let moved = try sandbox.run(
            ["date", "+%s"], as: .alice, environment: environment(movedBy: .days(30)))
        let now = try sandbox.run(["date", "+%s"], as: .alice)
        let seconds = [moved, now].compactMap { Int($0.output.prefix { $0.isNumber }) }
        #expect(seconds.count == 2 && seconds[0] - seconds[1] > 29 * 86_400)
    }

    func environment(movedBy time: Duration) -> [String: String] {
        ["LD_PRELOAD": Self.library, "CLOCK_OFFSET": "\(time.components.seconds)"]
    }
}
#endif
