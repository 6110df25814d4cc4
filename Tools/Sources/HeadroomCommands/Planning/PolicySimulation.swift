//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import Synchronization
import SystemPackage

/// What the service would do by a configuration, if a volume had another amount available.
struct PolicySimulation {
    var configuration: ServiceConfiguration
    var workspace: Workspace
    /// The volume; nil: the one that the areas lie on.
    var place: FilePath?

    /// - Throws: ``HeadroomError`` if the volume does not say how full it is, or cannot be chosen.
    func report(ifAvailable assumption: Assumption, top: Int) throws -> PolicySimulationReport {
        let declared = workspace.declaring(configuration.areas)
        let scope = declared.scope()
        let volume = try volume(scope)
        guard let figures = volume.figures, let available = volume.available else {
            throw HeadroomError(
                .io, "The volume of \(volume.mountPoint.displayText) does not say how full it is.")
        }
        let assumed = PressureReading.Figures(
            // mutation: r39b-1
            available: min(assumption.bytes(of: figures.total), figures.total),
            total: figures.total, availableInodes: figures.availableInodes,
            inodes: figures.inodes)
        var situation = situation(volume, assumed, ageRulesHold: declared.ageRulesHold())
        var report = PolicySimulationReport(
            volume: volume.mountPoint, total: figures.total, available: available,
            assumed: assumed.available, mode: configuration.mode,
            level: situation.pressure?.level, top: top)
        report.notes = scope.notes
        if configuration.grace > .zero {
            report.notes.append(
                Reason(
                    .layout,
                    "What is declared for less than \(configuration.grace.ageDescription) stays "
                        + "alone in truth (grace); here all declarations count as older."))
        }
        let runner = PolicyRunner(
            declared, configuration.policy, place: volume.mountPoint, requester: "simulation",
            source: OneScan())
        // As the service has it: what a level asks for first, and then what is due.
        for trigger in [CleaningTrigger.levelChange, .interval] {
            situation.trigger = trigger
            let decision = configuration.policy.decide(situation)
            for step in decision.steps
            where step.purpose == .due || trigger == .levelChange {
                report.steps += try runner.simulate(step, trigger: trigger, with: assumed)
            }
            for rest in decision.rests where !report.rests.contains(rest) {
                report.rests.append(rest)
            }
        }
        return report
    }

    private func situation(
        _ volume: Volume, _ figures: PressureReading.Figures, ageRulesHold: Bool
    ) -> PolicySituation {
        let settings = configuration.settings(of: volume)
        var gauge = PressureGauge(settings: settings)
        _ = gauge.take(PressureReading(time: .zero, answer: .figures(figures)))
        return PolicySituation(
            trigger: .levelChange,
            pressure: VolumePressure(
                mountPoint: volume.mountPoint, gauge: gauge, lastRead: .now()),
            thresholds: settings.thresholds,
            minuteOfDay: QuietHours.minute(of: .now()),
            isOnBattery: PowerSupply.isOnBattery() ?? false, ageRulesHold: ageRulesHold)
    }

    private func volume(_ scope: Scope) throws -> Volume {
        if let place { return try VolumeList.containing([place.string])[0] }
        var volumes: [Volume] = []
        for area in configuration.areas {
            // An area that is not there has nothing that could go.
            guard let volume = try? Volume.containing(area.root),
                !volumes.contains(where: { $0.mountPoint == volume.mountPoint })
            else { continue }
            volumes.append(volume)
        }
        guard volumes.count > 1 else {
            return try volumes.first ?? VolumeList.containing([Session.home().string])[0]
        }
        let names = volumes.map(\.mountPoint.displayText).joined(separator: ", ")
        throw HeadroomError(
            .invalid,
            "The areas of the configuration lie on several volumes (\(names)). Say which one has that "
                + "much available: --on PATH.")
    }
}

/// Looks once, for all steps.
private final class OneScan: PlanSource {
    private let basis = Mutex<PlanBasis?>(nil)

    func basis(of scope: Scope) throws(HeadroomError) -> PlanBasis {
        if let known = basis.withLock({ $0 }) { return known }
        let made = PlanBasis(try scope.scan())
        basis.withLock { $0 = made }
        return made
    }

    func release() { basis.withLock { $0 = nil } }
}
