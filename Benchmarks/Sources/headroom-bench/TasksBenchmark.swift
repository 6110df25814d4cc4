//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// How far the progress of clean-up tasks is from the part of the time that has passed, on uneven trees.
struct TasksBenchmark {
    let bench: Bench

    private struct Shape {
        var name: String
        /// Files of a size in kilobytes; what is below Maps goes.
        var parts: [(place: String, count: Int, kilobytes: Int64)]
        var isWhole = false
    }

    private static let maps = "Library/Caches/Maps"

    private var shapes: [Shape] {
        let maps = Self.maps
        var shapes = [
            Shape(
                name: "tiny and huge",
                parts: [(maps + "/tiny", 60_000, 0), (maps + "/huge", 3, 200_000)]),
            Shape(
                name: "mostly others",
                parts: [("Documents/all", 150_000, 0), (maps + "/few", 3_000, 4)]),
            Shape(
                name: "mostly removed",
                parts: [("Documents/few", 100, 4), (maps + "/all", 80_000, 4)]),
            Shape(
                name: "many directories",
                parts: (0..<3_000).map { ("\(maps)/\($0 % 50)/\($0)", $0 % 100 == 0 ? 400 : 5, 4) }),
            Shape(
                name: "one deep directory",
                parts: (0..<400).map { number in
                    (maps + (0...number).map { "/d\($0 % 10)" }.joined(), 60, 1)
                }),
        ]
        shapes += shapes.map { shape in
            var shape = shape
            shape.name += " (whole)"
            shape.isWhole = true
            return shape
        }
        return shapes
    }

    /// - Throws: at the end, what was further off than `--at-most` in the median of its rounds.
    func run() throws {
        var tooFar: [String] = []
        for place in bench.options.places {
            var table = Table(
                ["", "entries that go", "s", "first off %", "at", "later off %", "at", "stops ms"])
            let only = bench.options.only
            for shape in shapes where only.isEmpty || only.contains(shape.name) {
                bench.progress("\(shape.name) in \(place)")
                var runs: [Run] = []
                var times: [Double] = []
                var stops: [Double] = []
                // What removing costs there is known from the second round on.
                try Interruption.withDirectory(in: place) { ledger in
                    for _ in 0..<(bench.options.rounds ?? 3) {
                        let run = try run(shape, in: place, ledger.path)
                        runs.append(run)
                        if bench.options.showsCurves { bench.progress("\(run.curve)") }
                        times.append(run.seconds)
                        stops.append(try stop(shape, in: place, ledger.path))
                    }
                }
                guard let first = runs.first else { continue }
                // One stop of a machine that others use as well is not the forecast's.
                let usual = runs.map(\.off).median * 100
                if let most = bench.options.most, usual > most {
                    tooFar.append("\(shape.name) in \(place): \(usual.text(1)) %")
                }
                let later = runs.dropFirst().max { $0.off < $1.off }
                let count = shape.parts.filter { $0.place.hasPrefix(Self.maps) }
                    .reduce(0) { $0 + scaled($1.count) }
                table.rows.append([
                    shape.name, "\(count)", times.median.text(2), (first.off * 100).text(1),
                    (first.at * 100).text(0), later.map { ($0.off * 100).text(1) } ?? "",
                    later.map { ($0.at * 100).text(0) } ?? "",
                    ((stops.max() ?? 0) * 1000).text(1),
                ])
            }
            bench.say("\n### progress of clean-up tasks\n")
            bench.say(
                """
                \(Machine.fileSystem(of: place)); the fraction asked for every 10 ms from the start to the
                end, against the part of the time that had passed; the worst of all rounds, and where. Last:
                from a cancel in the midst of the removal to the return, the worst.

                """)
            bench.say(table.text)
        }
        if !tooFar.isEmpty {
            throw TooFarOff(
                description: "further off than asked for: \(tooFar.joined(separator: "; "))")
        }
    }

    private struct TooFarOff: Error, CustomStringConvertible {
        var description: String
    }

    private func scaled(_ count: Int) -> Int {
        count < 20 ? count : max(1, Int(Double(count) * bench.options.scale))
    }

    private func prepare(
        _ shape: Shape, in directory: TemporaryDirectory, _ ledger: FilePath,
        _ progress: CleanUpTaskProgress
    ) throws -> CleanUpTaskRunner {
        for name in ["Documents", "Library/Caches", "Library/Preferences", "tmp"] as [TreePath] {
            try directory.tree.directory("container" / name)
        }
        for part in shape.parts {
            try directory.tree.files(
                scaled(part.count), in: "container" / TreePath(stringLiteral: part.place),
                size: .kilobytes(part.kilobytes))
        }
        let entries = shape.isWhole ? "<key>Entries</key><array><string>*</string></array>" : ""
        let list = try CleanUpTaskList(
            parsing: Array(
                """
                <plist version="1.0"><array><dict><key>Path</key>
                <string>\(Self.maps)</string>\(entries)</dict></array></plist>
                """.utf8), named: "PurgeableCache.plist")
        let workspace = Workspace.open(
            environment: [:], home: directory.path.appending("home"),
            ledgerDirectory: ledger, minIdle: MinIdle.none,
            clock: { Timestamp(seconds: Int64(time(nil))) })
        return try CleanUpTaskRunner(
            list, in: workspace, containerAt: directory.path.appending("container"),
            requester: "bench", progress: progress)
    }

    private struct Run {
        var off: Double
        var at: Double
        var seconds: Double
        /// Time and fraction in percent, twenty times.
        var curve: String
    }

    private func run(_ shape: Shape, in place: String, _ ledger: FilePath) throws -> Run {
        try Interruption.withDirectory(in: place) { directory in
            let made = CleanUpTaskProgress()
            _ = try prepare(shape, in: directory, ledger, made)
            let progress = CleanUpTaskProgress()
            let start = ContinuousClock.now
            let runner = try reopen(shape, in: directory, ledger, progress)
            let samples = Mutex<[(Duration, Double)]>([])
            let isOver = Atomic<Bool>(false)
            let thread = try WatchingThread {
                while !isOver.load(ordering: .relaxed) {
                    samples.withLock { $0.append((start.duration(to: .now), progress.fraction)) }
                    WatchingThread.pause()
                }
            }
            runner.measureBefore()
            runner.clean()
            runner.measureAfter()
            progress.finish()
            let total = start.duration(to: .now)
            isOver.store(true, ordering: .relaxed)
            thread.join()
            let offs = samples.withLock { samples in
                samples.filter { $0.0 <= total }.map { (abs($0.1 - $0.0 / total), $0.0 / total) }
            }
            let most = offs.max { $0.0 < $1.0 } ?? (1, 1)
            var curve: [String] = []
            for (time, fraction) in samples.withLock({ $0 }) {
                let part: Double = time / total
                guard part * 20 >= Double(curve.count + 1) else { continue }
                curve.append("\(Int(part * 100)):\(Int(fraction * 100))")
            }
            return Run(
                off: most.0, at: most.1, seconds: total / .seconds(1),
                curve: curve.joined(separator: " "))
        }
    }

    /// The runner alone, on a tree that is there.
    private func reopen(
        _ shape: Shape, in directory: TemporaryDirectory, _ ledger: FilePath,
        _ progress: CleanUpTaskProgress
    ) throws -> CleanUpTaskRunner {
        var empty = shape
        empty.parts = []
        return try prepare(empty, in: directory, ledger, progress)
    }

    /// - Returns: seconds from the cancel to the end.
    private func stop(_ shape: Shape, in place: String, _ ledger: FilePath) throws -> Double {
        try Interruption.withDirectory(in: place) { directory in
            let made = CleanUpTaskProgress()
            _ = try prepare(shape, in: directory, ledger, made)
            let progress = CleanUpTaskProgress()
            let runner = try reopen(shape, in: directory, ledger, progress)
            let stopped = Mutex<ContinuousClock.Instant?>(nil)
            let isOver = Atomic<Bool>(false)
            let before = progress.removals
            let thread = try WatchingThread {
                while progress.removals < before + 200, !isOver.load(ordering: .relaxed) {
                    WatchingThread.pause(milliseconds: 1)
                }
                stopped.withLock { $0 = .now }
                progress.cancel()
            }
            runner.measureBefore()
            runner.clean()
            runner.measureAfter()
            let end = ContinuousClock.now
            isOver.store(true, ordering: .relaxed)
            thread.join()
            guard let stopped = stopped.withLock({ $0 }) else { return 0 }
            return max(0, stopped.duration(to: end) / .seconds(1))
        }
    }
}
