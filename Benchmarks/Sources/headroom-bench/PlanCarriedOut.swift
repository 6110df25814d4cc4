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

/// Plans all of a directory and carries the plan out, and measures the latter alone: with every
/// check, and with the receipt in a ledger of its own.
enum PlanCarriedOut {
    /// Prints what the floor prints of a command: wall in nanoseconds, user and system time in
    /// microseconds, peak memory in KiB, and 0.
    static func run(on directory: FilePath, ledger: FilePath, bench: Bench) throws {
        let workspace = Workspace.open(
            environment: [:], home: "/nonexistent", ledgerDirectory: ledger,
            minIdle: MinIdle.none
        ) { Timestamp(seconds: Int64(time(nil))) }
        let scope = try workspace.scope(paths: [directory], as: .temporary)
        let plan = try scope.plan(try scope.scan(), targets: [.all])
        let before = usage()
        let clock = ContinuousClock()
        let start = clock.now
        let receipt = try scope.purge(plan, requester: "benchmark", reportsRemoved: false)
        let wall = clock.now - start
        let after = usage()
        guard receipt.skipped.isEmpty,
            receipt.removedCount + receipt.emptiedCount == plan.count
        else {
            throw RunFailure(text: "the plan was not carried out: \(receipt.notes)")
        }
        let nanoseconds =
            wall.components.seconds * 1_000_000_000
            + wall.components.attoseconds / 1_000_000_000
        bench.say(
            "\(nanoseconds) \(after.user - before.user) \(after.system - before.system) "
                + "\(after.peak) 0")
    }

    private static func usage() -> (user: Int, system: Int, peak: Int) {
        var usage = rusage()
        _ = unsafe getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        return (
            usage.ru_utime.tv_sec * 1_000_000 + Int(usage.ru_utime.tv_usec),
            usage.ru_stime.tv_sec * 1_000_000 + Int(usage.ru_stime.tv_usec), usage.ru_maxrss
        )
    }
}
