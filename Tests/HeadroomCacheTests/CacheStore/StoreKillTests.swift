//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Glibc
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Testing

/// A process that is killed costs what it was just writing, and nothing else.
@Suite(
    "R20: kill -9 on a cache store",
    .enabled(if: CacheDriverProgram.path != nil, "needs the program CacheDriver"))
struct StoreKillTests {
    @Test(.tags(.r20d), arguments: StoreStep.allCases, [false, true])
    func killedAtAStep(step: StoreStep, isLasting: Bool) throws {
        // Half full, so that what is left is moved together, or with more than there is room for.
        let isMove = [.recordCopied, .recordMoved, .moveTold].contains(step)
        // So many that the log is worth replacing when the store is closed, at the latest.
        let compacts = [.snapshotWritten, .logCompacted].contains(step)
        let isLost = !isLasting && Self.sweeping.contains(step)
        let fixture = try TortureFixture(
            limit: isLasting ? 64 << 20 : isLost ? 6 << 20 : 2 << 20, isLasting: isLasting,
            keys: isMove ? 450 : 300, entries: isLost ? 100 : nil)
        var kills = 0
        for count in Privilege.isSoak ? Array(1...20) : [1, 4] {
            let seed = step.rawValue * 100 + count
            if Self.afterOthers.contains(step) { try leaveSomething(in: fixture, seed, isLost) }
            let operations = isMove ? 3_000 : compacts ? 12_000 : 600
            let child = try fixture.start([
                "die=\(step.rawValue):\(count)", "operations=\(operations)",
                "threads=\(1 + count % 2)", "seed=\(seed)", "large=\(isMove ? 1_000_000 : 8)",
            ])
            let result = try child.wait()
            if result.signal == 9 { kills += 1 }
            #expect(result.signal == 9 || result.succeeded, "\(result)")
            let (problems, _) = try fixture.inspect(closing: count % 2 == 0)
            #expect(problems == [], "after \(step):\(count)")
        }
        // Of what is lasting nothing is evicted, and no log lost.
        if !isLasting { #expect(kills > 0, "\(step) was not reached") }
    }

    /// Steps that are there for what somebody who was killed has left.
    private static let afterOthers = sweeping.union([.leftoversTaken, .leftoversTold])
    /// And for what no log tells of.
    private static let sweeping: Set<StoreStep> = [.filesListed, .fileSwept]

    /// Has a process killed that has put something and not told all of it.
    private func leaveSomething(
        in fixture: TortureFixture, _ seed: Int, _ withoutLog: Bool
    ) throws {
        let result = try fixture.start([
            "die=\(StoreStep.entered.rawValue):100", "operations=3000", "seed=\(seed + 50)",
        ]).wait()
        #expect(result.signal == 9, "\(result)")
        if withoutLog { try StateDirectory(opening: fixture.store).remove("index.log") }
    }

    /// Without descriptors nothing can be read, and nothing is taken for gone.
    @Test func aProcessWithoutDescriptorsLosesNothing() throws {
        let fixture = try TortureFixture(limit: 6 << 20, isLasting: true)
        for round in 0..<(Privilege.isSoak ? 100 : 6) {
            let result = try fixture.start([
                "operations=3000", "starving=1", "seed=\(round)", "threads=\(1 + round % 2)",
                "large=\(round % 2 == 0 ? 1_000_000 : 100)",
            ]).wait()
            #expect(result.succeeded && result.output == "ready\n", "\(result)")
            #expect(try fixture.inspect(closing: round % 2 == 0).problems == [])
        }
    }

    /// Again and again on one store, which is never made anew.
    @Test(.tags(.r20d), arguments: ["evicting", "lasting", "counted"])
    func killedAtAnyMoment(kind: String) throws {
        let isLasting = kind == "lasting"
        let isCounted = kind == "counted"
        let fixture = try TortureFixture(
            limit: isLasting ? 64 << 20 : isCounted ? 6 << 20 : 2 << 20, isLasting: isLasting,
            entries: isCounted ? 100 : nil)
        var random = SeededGenerator(seed: isLasting ? 21 : 22)
        var found = 0
        for round in 0..<(Privilege.isSoak ? 500 : 25) {
            let child = try fixture.start([
                "threads=\(Int.random(in: 1...3, using: &random))",
                "seed=\(round)", "durability=\(round % 10 == 9 ? "batched" : "none")",
            ])
            #expect(try child.readOutput(until: "ready"))
            usleep(UInt32.random(in: 0..<120_000, using: &random))
            child.send(SIGKILL)
            let result = try child.wait()
            #expect(result.signal == 9 && result.output == "ready\n", "\(result)")
            // What was evicted and is not marked: no older one of it is found without the index.
            if isCounted, round % 4 == 3 {
                try StateDirectory(opening: fixture.store).remove("index.log")
            }
            let (problems, some) = try fixture.inspect(closing: Bool.random(using: &random))
            #expect(problems == [], "round \(round)")
            found += some
            if !problems.isEmpty { break }
        }
        #expect(found > 1000)
    }
}
#endif
