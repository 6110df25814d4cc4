//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
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

            With --policy, what the service would do by that configuration: at which level, in which \
            steps, and why not more.
            """)

    @Option(
        help: ArgumentHelp(
            "What would be available on the volume: the home's, or that of the policy's areas.",
            valueName: "size|percent"),
        transform: Values.assumedAvailability)
    var ifAvailable: Assumption

    @Option(
        help: ArgumentHelp(
            "A configuration of the service: headroom.yaml, or a directory with it.",
            valueName: "path"))
    var policy: String?

    @Option(
        help: ArgumentHelp(
            "With --policy: a place on the volume, if the areas lie on several.", valueName: "path")
    )
    var on: String?

    @Option(help: "How many rows to show.", transform: Values.count)
    var top = 6

    @OptionGroup var idle: IdleOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard on == nil || policy != nil else {
            throw ValidationError("--on says which volume --policy is about: give both.")
        }
    }

    func run() throws {
        Interruption.install()
        let workspace = try Session.open(forWriting: false, minIdle: idle.value)
        if let policy {
            return try output.print(
                try PolicySimulation(
                    configuration: try ConfigurationOptions.configuration(
                        at: policy, workspace), workspace: workspace,
                    place: try on.map { text throws(HeadroomError) in try Paths.absolute(text) }
                ).report(ifAvailable: ifAvailable, top: top))
        }
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
