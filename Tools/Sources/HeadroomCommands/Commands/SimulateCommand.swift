//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// `headroom simulate`
struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Show what would go if a volume had less space.",
        discussion: """
            Plays through what an automatic purge would do: at the warning level temporary files \
            and caches, at the critical level what is marked as last resort as well. Deletes \
            nothing. Exit code 3: what may go would not be enough.
            """)

    @Option(
        help: ArgumentHelp(
            "What would be available on the home's volume.", valueName: "size|percent"),
        transform: Values.assumedAvailability)
    var ifAvailable: Assumption

    @Option(help: "How many rows to show.", transform: Values.count)
    var top = 6

    @OptionGroup var output: OutputOptions

    func run() throws {
        Interruption.install()
        let workspace = try Session.open(forWriting: false)
        let job = try PlanJob(AreaOptions.none, in: workspace, showsProgress: output.showsProgress)
        try output.print(SimulationReport.make(ifAvailable, job, top: top))
    }
}

/// What a simulation assumes to be available.
enum Assumption: Hashable, Sendable {
    case bytes(ByteCount)
    case share(basisPoints: Int)

    func bytes(of total: ByteCount) -> ByteCount {
        switch self {
        case .bytes(let bytes): bytes
        case .share(let points):
            // Divided first: the product of a large volume would not fit.
            ByteCount(
                total.bytes / 10_000 * Int64(points) + total.bytes % 10_000 * Int64(points) / 10_000
            )
        }
    }
}

extension Values {
    @Sendable static func assumedAvailability(_ text: String) throws -> Assumption {
        if text.contains("%") {
            return .share(basisPoints: try Percentage(parsing: text).basisPoints)
        }
        do {
            return .bytes(try ByteCount(parsing: text))
        } catch {
            throw InvalidValue("write a size such as 2GB, or a percentage such as 5%.")
        }
    }
}
