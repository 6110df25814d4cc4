//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// Selection by counting must equal sorting everything and taking the shortest prefix.
@Suite struct SelectionModelTests {
    @Test(.tags(.r15a), arguments: 0..<16)
    func selectionEqualsTheShortestPrefix(round: Int) {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let inventory = makeInventory(&random)
        let everything = inventory.plan(.all)
        let total = everything.reduce(Int64(0)) { $0 + $1.bytes.bytes }
        for _ in 0..<4 {
            let wanted = Int64.random(in: 1...max(1, total), using: &random)
            let plan = inventory.plan(.free(ByteCount(wanted)))
            var sum: Int64 = 0
            var expected: [FilePath] = []
            for entry in everything where entry.bytes > .zero && sum < wanted {
                expected.append(entry.path)
                sum += entry.bytes.bytes
            }
            #expect(plan.map(\.path) == expected, "seed \(seed), wanted \(wanted)")
            let inodes = Int.random(in: 1...everything.count, using: &random)
            #expect(
                inventory.plan(.inodes(inodes)).map(\.path)
                    == everything.prefix(inodes).map(\.path), "seed \(seed), inodes \(inodes)")
        }
    }

    @Test func manyThatAreAlikeAreSplitFurther() {
        // More than are sorted at once, within one class and four minutes.
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        for index in 0..<5000 {
            fixture.file(
                "\(index)", size: 512 * Int64(1 + index % 7),
                unusedFor: .seconds(Int64(index * 7919 % 240)))
        }
        let inventory = fixture.make()
        let all = inventory.plan(.all)
        for wanted in [1, 700_000, 4_000_000] as [Int64] {
            let plan = inventory.plan(.free(ByteCount(wanted)))
            #expect(plan.elementsEqual(all.prefix(plan.count)) { $0.path == $1.path })
            #expect(plan.frees >= ByteCount(wanted))
            #expect(plan.frees.bytes - (plan.last?.bytes.bytes ?? 0) < wanted)
        }
    }

    private func makeInventory(_ random: inout SeededGenerator) -> Inventory {
        var fixture = Fixture(areas: [
            Fixture.area("a", .temporary), Fixture.area("b", .cache, retention: .days(50)),
            Fixture.area("c", .cache, limit: 5, importance: 20), Fixture.area("d", .lastResort),
        ])
        // Few distinct times and sizes for ties.
        let count = Int.random(in: 1...300, using: &random)
        let times = Int64.random(in: 1...200, using: &random)
        for index in 0..<count {
            let directory = ["a", "b", "c", "d"].randomElement(using: &random) ?? "a"
            fixture.file(
                "\(directory)/\(index)", size: Int64.random(in: 0...40, using: &random) * 512,
                unusedFor: .days(Int64.random(in: 0...times, using: &random)))
            // Not what this test is about.
            fixture.directory(directory) { $0.owner = 0 }
        }
        return fixture.make()
    }

    @Test(.tags(.r15e)) func theSameTreeGivesTheSamePlanWithAnyThreads() throws {
        let directory = try TemporaryDirectory()
        for index in 0..<300 {
            try directory.tree.file("d\(index % 17)/e\(index % 5)/\(index)", size: .kilobytes(4))
            if index % 10 == 0 {
                try directory.tree.hardLink(
                    "links/\(index)", to: "d\(index % 17)/e\(index % 5)/\(index)")
            }
        }
        let area = Area(
            root: directory.path, purgeClass: .cache, limit: ByteCount(5), origin: "test")
        var options = ScanOptions(now: Fixture.now)
        var plans: [[FilePath]] = []
        for threads in [1, 8, 8, 3] {
            options.threads = threads
            let inventory = try Scanner.scan(
                [ScanRoot(path: directory.path)], areas: [area], options: options)
            for targets in [[Target.all], [.free(.kilobytes(300))], [.overLimit], [.inodes(40)]] {
                let plan = Planner.plan(
                    inventory, PlanRequest(targets: targets, now: Fixture.now))
                #expect(!plan.isEmpty)
                plans.append(plan.map(\.path))
            }
        }
        for index in plans.indices { #expect(plans[index] == plans[index % 4]) }
    }
}
