//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomTestSupport
import SystemPackage

/// Peak memory of those that keep every file, with what a directory of one file costs taken off.
struct MemoryBenchmark {
    let bench: Bench

    func run() throws {
        let maker = TreeMaker(scale: bench.options.scale)
        // Memory does not depend on the file system: one place is enough.
        guard let place = bench.options.places.first else { return }
        try Interruption.withDirectory(in: place) { directory in
            bench.progress("making \(maker.files) files in \(place)")
            try directory.tree.file("small/file", text: "x")
            try directory.tree.directory("full")
            try maker.many(in: directory.path.appending("full"))
            try measure(directory, files: maker.files, place: place)
        }
    }

    private func measure(_ directory: TemporaryDirectory, files: Int, place: String) throws {
        let all =
            [bench.contestants.library]
            + bench.contestants.inventories.filter { $0.name != "ncdu -o" }
            + [bench.contestants.interactive]
        let (present, missing) = bench.contestants.select(all)
        let floor = try ChildProcess.run(
            bench.floor, ["scan", directory.path.appending("full").string])
        let figures = floor.output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard figures.count == 3 else { throw RunFailure(text: "the floor gave no totals") }
        let entries = figures[1] + figures[2]
        var table = Table(["", "peak MB", "1 file MB", "bytes / entry"])
        var failures: [String] = []
        for contestant in present {
            do {
                var peaks: [Double] = []
                var bases: [Double] = []
                for _ in 0..<(bench.options.rounds ?? 3) {
                    peaks.append(
                        try bench.measure(contestant, on: directory.path.appending("full"))
                            .peakMemory)
                    bases.append(
                        try bench.measure(contestant, on: directory.path.appending("small"))
                            .peakMemory)
                }
                table.rows.append([
                    contestant.name, (peaks.median / 1e6).text(1), (bases.median / 1e6).text(1),
                    ((peaks.median - bases.median) / entries).text(1),
                ])
            } catch let failure as RunFailure {
                failures.append(failure.text)
            }
        }
        bench.say("\n### memory\n")
        bench.say(
            """
            \(Machine.fileSystem(of: place)); \(Int(figures[1])) files in
            \(Int(figures[2])) directories; an entry's name, about 16 bytes, is included.

            """)
        bench.say(table.text)
        for failure in failures { bench.say("- left out: \(failure)") }
        for contestant in missing { bench.say("- left out: \(contestant.name) is not installed") }
    }
}
