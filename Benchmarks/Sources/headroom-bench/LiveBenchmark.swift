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

/// A plan after some changes of an inventory that follows them, beside the scan that it saves.
struct LiveBenchmark {
    let bench: Bench

    /// How many files are changed before each plan.
    private static let changes = 1000

    /// What is promised of a million files; of fewer, as many changes are a greater part of the scan.
    private enum Bound {
        static let files = 1_000_000
        /// Of the processor time of a fresh scan, for a plan after the changes.
        static let plan = 0.02
        /// Of a core, while nothing happens.
        static let idle = 0.001
        /// For each file, and once.
        static let memory = (each: 77, once: 40_000_000)
    }

    private struct Round {
        var scan: Double
        /// From before the changes, which another process makes, until the plan is there.
        var all: Double
        /// From asking for the plan.
        var plan: Double
        var wall: Double
        var chosen: Int
    }

    /// - Throws: ``MissedBounds`` at the end, with what was more than is promised.
    func run() throws {
        var missed: [String] = []
        let maker = TreeMaker(scale: bench.options.scale)
        for place in bench.options.places {
            try Interruption.withDirectory(in: place) { directory in
                bench.progress("making \(maker.files) files in \(place)")
                try maker.many(in: directory.path)
                bench.say("\n### live\n")
                bench.say("\(Machine.fileSystem(of: place)), warm; \(maker.files) files; after")
                bench.say(
                    "each of the rounds, \(Self.changes) files are created, grown, renamed and")
                bench.say("removed in as many directories by another process; median")
                bench.say("(least–greatest).\n")
                var table = Table([
                    "", "CPU s", "wall s", "share of the scan's CPU", "of that, once asked",
                ])
                var mechanisms: [(String, LiveOptions.Mechanism)] = [
                    ("inotify", .perDirectory)
                ]
                if geteuid() == 0 { mechanisms.append(("fanotify", .perFileSystem)) }
                for (name, mechanism) in mechanisms {
                    missed += try measure(
                        directory.path, name, mechanism, files: maker.files, &table
                    ).map { "\(name) in \(place): \($0)" }
                }
                bench.say(table.text)
            }
        }
        if !missed.isEmpty { throw MissedBounds(missed) }
    }

    private func measure(
        _ path: FilePath, _ name: String, _ mechanism: LiveOptions.Mechanism, files: Int,
        _ table: inout Table
    ) throws -> [String] {
        bench.progress("following \(path) by \(name)")
        let area = Area(root: path, purgeClass: .temporary, origin: "benchmark")
        var options = LiveOptions()
        options.mechanism = mechanism
        let before = ResidentMemory.bytes
        var start = Self.processorTime
        var wall = ContinuousClock.now
        let live = try LiveInventory(
            roots: [ScanRoot(path: path)], areas: [area], options: options
        ) { ScanOptions(now: Self.now) }
        defer { live.close() }
        let first = Self.processorTime - start
        let firstWall = (ContinuousClock.now - wall).seconds
        let wanted = ByteCount(try live.inventory().rootDirectories[0].totals.allocated / 100)
        let request = PlanRequest(targets: [.free(wanted)], now: Self.now)
        start = Self.processorTime
        wall = ContinuousClock.now
        _ = try live.plan(request)
        let firstPlan = Self.processorTime - start
        let firstPlanWall = (ContinuousClock.now - wall).seconds
        let held = ResidentMemory.bytes - before
        let idle = Self.processorTime
        sleep(2)
        let idleShare = (Self.processorTime - idle) / 2
        var rounds: [Round] = []
        for round in 0..<(bench.options.rounds ?? 7) {
            rounds.append(try self.round(live, path, request, area, number: round))
        }
        let scans = rounds.map(\.scan)
        table.rows.append(["\(name): a fresh scan", scans.median.text(3), "", "1", ""])
        table.rows.append([
            "\(name): the first scan, with watches", first.text(3), firstWall.text(3),
            (first / scans.median).text(2), "",
        ])
        table.rows.append([
            "\(name): the first plan", firstPlan.text(4), firstPlanWall.text(4),
            (firstPlan / scans.median).text(3), "",
        ])
        table.rows.append([
            "\(name): a plan after changes", rounds.map(\.all).median.text(4),
            rounds.map(\.wall).median.text(4),
            "\((rounds.map { $0.all / $0.scan }.median * 100).text(2)) % "
                + "(\((rounds.map { $0.all / $0.scan }.min() ?? 0).percent)–"
                + "\((rounds.map { $0.all / $0.scan }.max() ?? 0).percent))",
            "\((rounds.map { $0.plan / $0.scan }.median * 100).text(2)) %",
        ])
        bench.progress(
            "\(rounds.first?.chosen ?? 0) chosen; \(live.statistics); \(held / 1_000_000) MB held; "
                + "idle \((idleShare * 100).text(3)) % of a core")
        let share = rounds.map { $0.all / $0.scan }.median
        return missed(files: files, share: share, held: held, idle: idleShare)
    }

    /// What is more than is promised.
    private func missed(files: Int, share: Double, held: Int, idle: Double) -> [String] {
        var missed: [String] = []
        if files >= Bound.files, share > Bound.plan {
            missed.append(
                "a plan after \(Self.changes) changes took \(share.percent) % of a scan, and "
                    + "\(Bound.plan.percent) % is the most")
        }
        let most = files * Bound.memory.each + Bound.memory.once
        if held > most {
            missed.append(
                "\(files) files held \(held / 1_000_000) MB, and \(most / 1_000_000) MB is the most"
            )
        }
        if idle > Bound.idle {
            missed.append(
                "idle took \((idle * 100).text(3)) % of a core, and \(Bound.idle.percent) % is the "
                    + "most")
        }
        return missed
    }

    private func round(
        _ live: LiveInventory, _ path: FilePath, _ request: PlanRequest, _ area: Area, number: Int
    ) throws -> Round {
        let start = Self.processorTime
        let changed = try ChildProcess.run(
            CommandLine.arguments[0],
            ["change", "--tree", path.string, "--rounds", "\(number + 1)"])
        guard changed.succeeded else { throw RunFailure(text: changed.errors) }
        let asked = Self.processorTime
        let wall = ContinuousClock.now
        let plan = try live.plan(request)
        let walled = (ContinuousClock.now - wall).seconds
        let planned = Self.processorTime
        let fresh = try Scanner.scan(
            [ScanRoot(path: path)], areas: [area], options: ScanOptions(now: Self.now))
        let scan = Self.processorTime - planned
        let expected = Planner.plan(fresh, request)
        guard plan.inventory.rootDirectories[0].totals == fresh.rootDirectories[0].totals,
            plan.inventory.itemCount == fresh.itemCount, plan.frees == expected.frees,
            plan.map(\.path) == expected.map(\.path), plan.kept == expected.kept
        else {
            throw RunFailure(
                text: "the plan of the live inventory (\(plan.count), \(plan.frees), "
                    + "\(plan.inventory.rootDirectories[0].totals)) is not that of a scan "
                    + "(\(expected.count), \(expected.frees), "
                    + "\(fresh.rootDirectories[0].totals))")
        }
        return Round(
            scan: scan, all: planned - start, plan: planned - asked, wall: walled,
            chosen: plan.count)
    }

    /// Changes files of a tree, one in each directory.
    static func change(_ tree: FilePath, round: Int) throws {
        var random = SeededGenerator(seed: UInt64(round))
        var directories = [tree]
        var next = 0
        while next < directories.count {
            let outer = directories[next]
            directories += try Tree(root: outer).names().filter {
                $0.text.hasPrefix("directory-")
            }.map { outer.appending($0.text) }
            next += 1
        }
        directories.shuffle(using: &random)
        for directory in directories.prefix(changes) {
            let number = Int.random(in: 0..<1 << 30, using: &random)
            let inside = Tree(root: directory)
            let files = try inside.names().filter { $0.text.hasPrefix("file-") }
            guard let file = files.isEmpty ? nil : files[number % files.count] else { continue }
            let path = TreePath([file])
            switch number % 4 {
            case 0: try inside.file(TreePath("file-new-\(round)-\(number)"), size: .kilobytes(9))
            case 1: try inside.file(path, size: .kilobytes(20))
            case 2: try inside.rename(path, to: TreePath("file-moved-\(round)-\(number)"))
            default: try inside.remove(path)
            }
        }
    }

    private static var now: Timestamp { Timestamp(seconds: Int64(time(nil))) }

    /// User and system time of this process, without its children, in seconds.
    private static var processorTime: Double {
        var usage = rusage()
        _ = unsafe getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }
}

/// Something took more than is promised.
struct MissedBounds: Error, CustomStringConvertible {
    let description: String

    init(_ missed: [String]) {
        description = "more than is promised: " + missed.joined(separator: "; ")
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

extension Double {
    fileprivate var percent: String { (self * 100).text(2) }
}
