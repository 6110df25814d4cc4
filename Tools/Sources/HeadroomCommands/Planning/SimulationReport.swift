//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom simulate` found.
struct SimulationReport: Report {
    static let schema = "headroom.simulate/1"

    var volume: FilePath
    var total: ByteCount
    /// What is available in truth, and what is assumed.
    var available: ByteCount
    var assumed: ByteCount
    var simulation: Simulation
    var top: Int

    var status: ExitStatus {
        simulation.plan.reachesTarget && !simulation.isHopeless ? .done : .targetNotReached
    }

    static func make(_ assumption: Assumption, _ job: PlanJob, top: Int) throws -> SimulationReport
    {
        let home = try Session.home()
        let volume = try VolumeList.containing([home.string])[0]
        guard let figures = volume.figures, let available = volume.available else {
            throw HeadroomError(
                .io, "The volume of \(home.displayText) does not say how full it is.")
        }
        let assumed = min(assumption.bytes(of: figures.total), figures.total)
        let inventory = try job.scan()
        var request = try job.scope.request(targets: [.all], through: .lastResort)
        request.volume = PlanRequest.VolumeState(
            volume, normalFrom: PressureThresholds.standard.normal(of: figures.total))
        request.volume?.available = assumed
        return SimulationReport(
            volume: volume.mountPoint, total: figures.total, available: available,
            assumed: assumed,
            simulation: Simulation(inventory, ifAvailable: assumed, request: request), top: top)
    }

    // MARK: - JSON

    func write(to json: inout JSONWriter) {
        json.member("volume", volume)
        json.member("totalBytes", total)
        json.member("availableBytes", available)
        json.member("assumedBytes", assumed)
        json.member("level", simulation.level.name)
        json.member("shortageBytes", simulation.shortage)
        json.member("sparesCaches", simulation.isHopeless)
        PlanReport(plan: simulation.plan, top: top, arguments: "").write(to: &json)
    }

    // MARK: - Text

    var document: Document {
        var document = Document()
        let level = simulation.level
        let share = Double(assumed.bytes) / Double(max(1, total.bytes))
        document.add(
            StyledText("With \(assumed) available on \(volume.displayText)", .strong)
                + StyledText(" (\(share.percentText); now \(available)) the level would be ")
                + StyledText(level.name, level == .normal ? .good : .warning) + ".")
        switch level {
        case .normal: document.add("Only what is expired or over its limit would go.")
        case .warning, .critical:
            let classes =
                level == .warning ? "temporary and cache" : "temporary, cache and last resort"
            document.add(
                StyledText("A purge would free \(simulation.shortage); it may spend \(classes)."))
        }
        if simulation.isHopeless {
            document.add(
                StyledText(
                    "All that may go is less than half of that: caches would be spared, and you "
                        + "would be told.", .warning))
        }
        document.addBlank()
        // Rounded as it is shown: to type, not to reckon with.
        let size =
            simulation.shortage > .zero
            ? simulation.shortage.description.filter { $0 != " " } : "1GB"
        let inner = PlanReport(plan: simulation.plan, top: top, arguments: "").document
        document.blocks += inner.blocks
        document.next = [
            "headroom plan --free \(size)",
            "headroom status",
        ]
        return document
    }
}
