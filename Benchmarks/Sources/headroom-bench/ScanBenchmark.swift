//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomTestSupport
import SystemPackage

/// Scanning, with totals only and with every file kept.
struct ScanBenchmark {
    let bench: Bench

    func run() throws {
        let options = bench.options
        if let tree = options.tree {
            try measure("tree \(tree)", FilePath(tree), place: tree, work: "an existing tree")
            return
        }
        let maker = TreeMaker(scale: options.scale)
        for place in options.places {
            try Interruption.withDirectory(in: place) { directory in
                bench.progress("making \(maker.files) files in \(place)")
                try maker.many(in: directory.path)
                try measure(
                    "many directories", directory.path, place: place,
                    work: "\(maker.files) files")
            }
            try Interruption.withDirectory(in: place) { directory in
                bench.progress("making \(maker.wideFiles) files in one directory in \(place)")
                try maker.wide(in: directory.path)
                try measure(
                    "one directory", directory.path, place: place,
                    work: "\(maker.wideFiles) files")
            }
        }
    }

    private func measure(
        _ title: String, _ directory: FilePath, place: String, work: String
    ) throws {
        let rounds = bench.options.rounds ?? 5
        let all = bench.contestants.totals + bench.contestants.inventories
        let (present, missing) = bench.contestants.select(all)
        let work = work + ", " + (try agreement(on: directory))
        bench.progress("scanning \(place), \(rounds) rounds of \(present.count) and the floor")
        // Whatever state the making left the cache in, it is the same for all after one scan.
        _ = try bench.measure(bench.contestants.scanFloor, on: directory)
        let alternation = try Alternation(
            floor: bench.contestants.scanFloor, contestants: present, rounds: rounds
        ) { contestant in
            if bench.options.isCold { try Machine.emptyCaches() }
            return try bench.measure(contestant, on: directory)
        }
        bench.report(
            "scan, \(title)", place: place, state: bench.options.isCold ? "cold" : "warm",
            work: work, alternation, missing: missing)
    }

    /// Whether the floor, and our own program, count what du counts.
    private func agreement(on directory: FilePath) throws -> String {
        let floor = try ChildProcess.run(bench.floor, ["scan", directory.string])
        let du = try ChildProcess.run("du", ["-s", "--block-size=1", directory.string])
        let counted = floor.output.prefix { $0 != " " }
        let expected = du.output.prefix { $0 != "\t" }
        guard counted == expected else {
            throw RunFailure(text: "the floor counted \(counted) bytes and du \(expected)")
        }
        guard bench.contestants.totals[0].isInstalled else {
            return "\(counted) bytes by floor and du alike"
        }
        let own = try ChildProcess.run(
            bench.options.headroom, ["scan", "--totals", "--json", directory.string])
        let text = own.output.filter { !$0.isWhitespace }
        let figure = text.firstRange(of: "\"allocatedBytes\":").map { range in
            text[range.upperBound...].prefix { $0.isNumber }
        }
        guard let figure, figure == expected else {
            let seen = figure.map(String.init) ?? "nothing"
            return "\(counted) bytes by floor and du, but headroom counted \(seen)"
        }
        return "\(counted) bytes by floor, du and headroom alike"
    }
}
