//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Measures what the program costs, beside the least it could cost and beside other tools.
@main
struct HeadroomBench {
    static func main() {
        Interruption.watch()
        do {
            let bench = try Bench(options: Options(Array(CommandLine.arguments.dropFirst())))
            try run(bench)
        } catch let error as UsageError {
            complain("headroom-bench: \(error.message)\n\(Options.usage)")
            exit(2)
        } catch {
            complain("headroom-bench: \(error)")
            exit(1)
        }
    }

    private static func run(_ bench: Bench) throws {
        let subject = bench.options.subject
        if subject == .inventory {
            let root = ScanRoot(path: FilePath(bench.options.tree ?? "."))
            let options = ScanOptions(now: Timestamp(seconds: Int64(time(nil))))
            let inventory = try Scanner.scan([root], options: options)
            bench.say("\(inventory.itemCount)")
            return
        }
        if subject == .carryOut {
            guard let tree = bench.options.tree, let ledger = bench.options.ledger else {
                throw UsageError("carry-out needs --tree and --ledger")
            }
            return try PlanCarriedOut.run(
                on: FilePath(tree), ledger: FilePath(ledger), bench: bench)
        }
        if subject == .change {
            guard let tree = bench.options.tree else { throw UsageError("change needs --tree") }
            return try LiveBenchmark.change(FilePath(tree), round: bench.options.rounds ?? 1)
        }
        bench.say("## Headroom measurements\n\n\(Machine.summary)")
        // Said at the end, after what else there is to measure.
        var missed: MissedBounds?
        if subject == .scan || subject == .all { try ScanBenchmark(bench: bench).run() }
        if subject == .purge || subject == .all { try PurgeBenchmark(bench: bench).run() }
        if subject == .plan || subject == .all { try PlanBenchmark(bench: bench).run() }
        if subject == .live || subject == .all {
            do {
                try LiveBenchmark(bench: bench).run()
            } catch let bounds as MissedBounds {
                missed = bounds
            }
        }
        if subject == .memory || subject == .all { try MemoryBenchmark(bench: bench).run() }
        if subject == .save || subject == .all { try SaveBenchmark(bench: bench).run() }
        if subject == .protection || subject == .all {
            try ProtectionBenchmark(bench: bench).run()
        }
        if subject == .cache || subject == .all {
            try CacheBenchmark(bench: bench).run()
            try CacheLoadBenchmark(bench: bench).run()
        }
        if subject == .hits || subject == .all { HitsBenchmark(bench: bench).run() }
        if subject == .forecast || subject == .all { ForecastBenchmark(bench: bench).run() }
        if subject == .tasks || subject == .all { try TasksBenchmark(bench: bench).run() }
        if let missed { throw missed }
    }

    private static func complain(_ text: String) {
        let line = Array((text + "\n").utf8)
        _ = unsafe line.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    }
}
