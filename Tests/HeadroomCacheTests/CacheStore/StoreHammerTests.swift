//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Glibc
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Testing

/// Four processes at once, some of which are killed and started again.
@Suite(
    "R20: four processes hammer one cache store",
    .enabled(if: CacheDriverProgram.path != nil, "needs the program CacheDriver"))
struct StoreHammerTests {
    /// - Parameter kind: room for all that is put; the same, with much that is moved; so little room that
    ///   much is evicted; half full of small values, which are then moved; a limit of entries; and a purge that
    ///   takes from it again and again.
    @Test(
        arguments: ["lasting", "lasting, moving", "evicting", "moving", "counted", "purged"])
    func nothingWrongNothingOldAndNeverTooMuch(kind: String) throws {
        let isLasting = kind.hasPrefix("lasting")
        let isMoving = kind.hasSuffix("moving")
        let fixture = try TortureFixture(
            limit: isLasting ? isMoving ? 6 << 20 : 64 << 20 : 2 << 20, isLasting: isLasting,
            keys: kind == "moving" ? 450 : 300)
        var settings = isMoving ? ["large=1000000"] : []
        if kind == "counted" { settings.append("entries=100") }
        var random = SeededGenerator(seed: 77)
        var seed = 0
        func start(_ number: Int) throws -> ChildProcess {
            seed += 1
            let relief = kind == "purged" && number == 0 ? ["relief=1"] : []
            let child = try fixture.start(
                settings + relief + ["seed=\(seed)", "threads=\(1 + seed % 2)"])
            #expect(try child.readOutput(until: "ready"))
            return child
        }
        var children = try (0..<4).map { try start($0) }
        var problems: [String] = []
        var kills = 0
        let length = Privilege.isSoak ? Duration.seconds(60) : .milliseconds(1500)
        let end = ContinuousClock.now.advanced(by: length)
        while ContinuousClock.now < end {
            // The watcher.
            for _ in 0..<20 {
                usleep(2000)
                let occupied = try fixture.occupied()
                if occupied > fixture.limit { problems.append("\(occupied) bytes are occupied") }
            }
            guard Int.random(in: 0..<5, using: &random) == 0 else { continue }
            let victim = Int.random(in: 0..<4, using: &random)
            children[victim].send(SIGKILL)
            problems += try said(children[victim])
            kills += 1
            children[victim] = try start(victim)
        }
        for child in children {
            child.send(SIGKILL)
            problems += try said(child)
        }
        let inspection = try fixture.inspect(closing: true)
        problems += inspection.problems
        #expect(Array(problems.prefix(5)) == [], "\(problems.count) problems, \(kills) kills")
        #expect(inspection.found > 20)
        // And a store that is opened after that has been closed agrees.
        #expect(try fixture.inspect(closing: true).problems == [])
    }

    /// What a process had to say before it was killed.
    private func said(_ child: ChildProcess) throws -> [String] {
        let result = try child.wait()
        let lines = (result.output + result.errors).split(separator: "\n").map(String.init)
        return lines.filter { $0 != "ready" }
            + (result.signal == SIGKILL ? [] : ["ended by itself: \(result)"])
    }
}
#endif
