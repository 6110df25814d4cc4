//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomTestSupport
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What every subject needs: the options, the programs, and a place to print to.
struct Bench {
    let options: Options
    let floor: String
    let contestants: Contestants

    init(options: Options) throws(UsageError) {
        self.options = options
        // Built beside this program.
        let directory = FilePath(CommandLine.arguments[0]).removingLastComponent()
        floor = directory.appending("headroom-floor").string
        contestants = Contestants(options: options, floor: floor)
        guard unsafe access(floor, X_OK) == 0 else {
            throw UsageError(
                "\(floor) is missing: swift build -c release --package-path Benchmarks")
        }
    }

    func say(_ text: String = "") {
        print(text)
        // Rounds take minutes: what is done shows at once, also in a pipe.
        _ = fflush(nil)
    }

    /// Tells on standard error what is going on.
    func progress(_ text: String) {
        let line = Array("… \(text)\n".utf8)
        _ = unsafe line.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    }

    func measure(_ contestant: Contestant, on directory: FilePath) throws -> Measurement {
        try Measurement(contestant, on: directory.string, floor: floor)
    }

    /// Prints a comparison as a table, and what could not take part.
    func report(
        _ title: String, place: String, state: String, work: String,
        _ alternation: Alternation, missing: [Contestant]
    ) {
        let rounds = alternation.series.map(\.runs.count).max() ?? 0
        say(
            """

            ### \(title)

            \(Machine.fileSystem(of: place)), \(state); \(work).
            Ratios are the median (least–greatest) of \(rounds) rounds, each run against the floor's
            runs before and after it; the floor's own are those of its runs to each other.
            Load \(Machine.load) at the end.

            """)
        var table = Table(["", "CPU s", "wall s", "CPU / floor", "wall / floor", "peak MB"])
        for series in [alternation.floor] + alternation.series where !series.runs.isEmpty {
            table.rows.append([
                series.contestant.name, series.median(\.processor).text(3),
                series.median(\.wall).text(3), series.processorRatios.ratioText,
                series.wallRatios.ratioText, (series.median(\.peakMemory) / 1e6).text(1),
            ])
        }
        say(table.text)
        for series in alternation.series {
            if let failure = series.failure { say("- left out: \(failure)") }
        }
        for contestant in missing {
            say("- left out: \(contestant.name) is not installed (\(contestant.text))")
        }
        compare(alternation)
    }

    /// One line for each peer that our own program met in the same rounds.
    private func compare(_ alternation: Alternation) {
        let met = alternation.series.filter { !$0.runs.isEmpty }.map(\.contestant)
        for own in met where own.name.hasPrefix("headroom") {
            let peers = met.filter {
                !$0.name.hasPrefix("headroom") && $0.keepsFiles == own.keepsFiles
            }
            let texts = peers.map { peer in
                let processor = alternation.ratios(
                    of: own.name, to: peer.name, \.processorRatios
                ).median
                let wall = alternation.ratios(of: own.name, to: peer.name, \.wallRatios).median
                return "\(processor.text())× CPU and \(wall.text())× wall of \(peer.name)"
            }
            if !texts.isEmpty { say("- \(own.name): \(texts.joined(separator: "; "))") }
        }
    }
}
