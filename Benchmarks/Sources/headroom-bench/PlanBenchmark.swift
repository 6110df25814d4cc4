//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Planning, beside the scan that found the candidates: both in this process, by the library.
struct PlanBenchmark {
    let bench: Bench

    private struct Round {
        var scan: Double
        var all: Double
        var share: Double
        var chosen: Int
        var chosenOfShare: Int
    }

    func run() throws {
        let maker = TreeMaker(scale: bench.options.scale)
        // What a plan costs does not depend on the file system: one place is enough.
        guard let place = bench.options.places.first else { return }
        try Interruption.withDirectory(in: place) { directory in
            bench.progress("making \(maker.files) files in \(place)")
            try maker.many(in: directory.path)
            try Tree(root: directory.path).age(by: .seconds(30 * 86_400))
            let rounds = bench.options.rounds ?? 5
            bench.progress("planning, \(rounds) rounds")
            var done: [Round] = []
            for _ in 0..<rounds { done.append(try round(directory.path)) }
            report(done, files: maker.files, place: place)
        }
    }

    private func round(_ directory: FilePath) throws -> Round {
        let now = Timestamp(seconds: Int64(time(nil)))
        let area = Area(root: directory, purgeClass: .temporary, origin: "benchmark")
        var start = Self.processorTime
        let inventory = try Scanner.scan(
            [ScanRoot(path: directory)], areas: [area], options: ScanOptions(now: now))
        let scan = Self.processorTime - start
        start = Self.processorTime
        let all = Planner.plan(inventory, PlanRequest(targets: [.all], now: now))
        let planned = Self.processorTime - start
        let wanted = ByteCount(all.frees.bytes / 100)
        start = Self.processorTime
        let some = Planner.plan(inventory, PlanRequest(targets: [.free(wanted)], now: now))
        let plannedShare = Self.processorTime - start
        guard some.frees >= wanted else {
            throw RunFailure(text: "the plan frees \(some.frees) where \(wanted) were asked for")
        }
        return Round(
            scan: scan, all: planned, share: plannedShare, chosen: all.count,
            chosenOfShare: some.count)
    }

    private func report(_ rounds: [Round], files: Int, place: String) {
        bench.say("\n### plan\n")
        bench.say("\(Machine.fileSystem(of: place)), warm; \(files) candidates; median")
        bench.say("(least–greatest) of \(rounds.count) rounds, each of a scan and both plans.\n")
        var table = Table(["", "items", "CPU s", "share of the scan's CPU", "ns / candidate"])
        let scan = rounds.map(\.scan)
        table.rows.append([
            "scan to an inventory", "\(files)", scan.median.text(3), "–",
            (scan.median * 1e9 / Double(files)).text(0),
        ])
        let plans: [(String, KeyPath<Round, Double>, KeyPath<Round, Int>)] = [
            ("plan of all", \.all, \.chosen),
            ("plan to free 1 % of the bytes", \.share, \.chosenOfShare),
        ]
        for (name, cost, items) in plans {
            let median = rounds.map { $0[keyPath: cost] }.median
            table.rows.append([
                name, "\(rounds.first?[keyPath: items] ?? 0)", median.text(3),
                rounds.map { $0[keyPath: cost] / $0.scan }.ratioText,
                (median * 1e9 / Double(files)).text(0),
            ])
        }
        bench.say(table.text)
    }

    /// User and system time of this process, in seconds.
    private static var processorTime: Double {
        var usage = rusage()
        _ = unsafe getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }
}
