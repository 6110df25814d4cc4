//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomTestSupport
import SystemPackage

/// What planning costs beyond the scan that found the candidates: the same program, run with and
/// without the plan.
struct PlanBenchmark {
    let bench: Bench

    func run() throws {
        let maker = TreeMaker(scale: bench.options.scale)
        guard let place = bench.options.places.first else { return }
        let scan = bench.contestants.inventories[0]
        guard scan.isInstalled else {
            bench.say("\n### plan\n\n- left out: \(bench.options.headroom) is not built")
            return
        }
        try TemporaryDirectory.with(on: .at(FilePath(place))) { directory in
            bench.progress("making \(maker.files) files in \(place)")
            try maker.many(in: directory.path)
            let totals = try ChildProcess.run(bench.floor, ["scan", directory.path.string])
            let bytes = totals.output.split(separator: " ").first.flatMap { Int64($0) } ?? 0
            let plan = ["plan", "{}", "--as", "temporary", "--age-by", "modified"]
            let all = Contestant(
                name: "plan of all", command: [bench.options.headroom] + plan + ["--all"])
            let some = Contestant(
                name: "plan of 1 %",
                command: [bench.options.headroom] + plan + ["--free", "\(bytes / 100)"])
            bench.progress("planning, \(bench.options.rounds ?? 5) rounds")
            let alternation = try Alternation(
                floor: scan, contestants: [all, some], rounds: bench.options.rounds ?? 5
            ) { try bench.measure($0, on: directory.path) }
            report(alternation, files: maker.files, place: place)
        }
    }

    private func report(_ alternation: Alternation, files: Int, place: String) {
        bench.say("\n### plan\n")
        bench.say("\(Machine.fileSystem(of: place)), warm; \(files) candidates. The floor is the")
        bench.say("full scan; what a plan costs beyond it includes printing it.\n")
        var table = Table(["", "CPU s", "beyond the scan", "ns / candidate"])
        let scan = alternation.floor.median(\.processor)
        table.rows.append(["scan", scan.text(3), "–", "–"])
        for series in alternation.series where !series.runs.isEmpty {
            let share = series.processorRatios.median - 1
            table.rows.append([
                series.contestant.name, series.median(\.processor).text(3),
                "\((share * 100).text(1)) %", (share * scan * 1e9 / Double(files)).text(0),
            ])
        }
        bench.say(table.text)
        for series in alternation.series {
            if let failure = series.failure { bench.say("- left out: \(failure)") }
        }
    }
}
