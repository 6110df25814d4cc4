//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomTestSupport
import SystemPackage

/// Deleting the same files, in a fresh tree each time.
struct PurgeBenchmark {
    let bench: Bench

    func run() throws {
        let maker = TreeMaker(scale: bench.options.scale)
        for place in bench.options.places {
            try Interruption.withDirectory(in: place) { directory in
                try measure(directory, maker, place: place)
            }
        }
    }

    private func measure(
        _ directory: TemporaryDirectory, _ maker: TreeMaker, place: String
    ) throws {
        let rounds = bench.options.rounds ?? 3
        let victim = directory.path.appending("victim")
        // Ages by modification alone: nobody can set back when a file was made or changed.
        try directory.tree.file("clean.conf", text: "e \(victim) - - - mM:10d -\n")
        let configuration = directory.path.appending("clean.conf").string
        let (present, missing) = bench.contestants.select(
            bench.contestants.purges(
                configuration: configuration, ledger: directory.path.appending("ledger").string))
        bench.progress(
            "purging \(maker.purgeableFiles) files in \(place), "
                + "\(rounds) rounds of \(present.count) and the floor")
        let alternation = try Alternation(
            floor: bench.contestants.purgeFloor, contestants: present, rounds: rounds
        ) { contestant in
            try directory.tree.directory("victim")
            try maker.purgeable(in: victim)
            let measured = try bench.measure(contestant, on: victim)
            let left = directory.tree.exists("victim") ? try directory.tree.names(in: "victim") : []
            guard left.isEmpty else {
                try directory.tree.remove("victim")
                throw RunFailure(text: "\(contestant.name) left \(left.count) entries behind")
            }
            return measured
        }
        bench.report(
            "purge", place: place, state: "warm",
            work: "\(maker.purgeableFiles) files, all of which went", alternation,
            missing: missing)
    }
}
