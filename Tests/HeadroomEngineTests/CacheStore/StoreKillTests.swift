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

/// A process that is killed costs what it was just writing, and nothing else.
@Suite(
    "R20: kill -9 on a cache store",
    .enabled(if: CacheDriverProgram.path != nil, "needs the program CacheDriver"))
struct StoreKillTests {
    @Test(arguments: StoreStep.allCases, [false, true])
    func killedAtAStep(step: StoreStep, isLasting: Bool) throws {
        // Half full, so that what is left is moved together, or with more than there is room for.
        let isMove = [.recordCopied, .recordMoved, .moveTold].contains(step)
        let fixture = try TortureFixture(
            limit: isLasting ? 64 << 20 : 2 << 20, isLasting: isLasting, keys: isMove ? 450 : 300)
        var kills = 0
        for count in Privilege.isSoak ? Array(1...20) : [1, 4] {
            let child = try fixture.start([
                "die=\(step.rawValue):\(count)", "operations=\(isMove ? 3000 : 600)",
                "threads=\(1 + count % 2)",
                "seed=\(step.rawValue * 100 + count)", "large=\(isMove ? 1_000_000 : 8)",
            ])
            let result = try child.wait()
            if result.signal == 9 { kills += 1 }
            #expect(result.signal == 9 || result.succeeded, "\(result)")
            let (problems, _) = try fixture.inspect(closing: count % 2 == 0)
            #expect(problems == [], "after \(step):\(count)")
        }
        if !isLasting, Self.sure.contains(step) { #expect(kills > 0, "\(step) was not reached") }
    }

    /// Whether the others are reached depends on what happened before.
    private static let sure: Set<StoreStep> = Set(StoreStep.allCases).subtracting([
        .leftoversTaken, .leftoversTold, .filesListed, .fileSwept, .snapshotWritten,
        .logCompacted,
    ])

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
    @Test(arguments: ["evicting", "lasting", "counted"])
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
