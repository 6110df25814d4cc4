//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
public import HeadroomEngine
public import HeadroomPlatform
import Synchronization
public import SystemPackage

/// Feeds metrics from what the automation tells.
///
/// Every call returns at once.
public final class MetricsFeed: Sendable {
    private let metrics: ServiceMetrics
    private let state = Mutex(State())

    private struct State {
        var volumes: [FilePath: ServiceMetrics.VolumeState] = [:]
        /// Those of which people were told that they cannot be helped.
        var helpless: Set<FilePath> = []
        var forecasts: [FilePath: Forecast] = [:]
        var modules: [String: ByteCount] = [:]
        var surveys: [FilePath?: AreaSurvey] = [:]

        /// Handed on in the lock, so that what is known later stays.
        func write(to metrics: ServiceMetrics) {
            metrics.set(
                volumes.map { name, volume in
                    var volume = volume
                    volume.cannotBeHelped = helpless.contains(name)
                    volume.forecast = forecasts[name]
                    return volume
                })
        }
    }

    public init(_ metrics: ServiceMetrics) { self.metrics = metrics }

    /// - Parameter time: by the wall clock.
    public func note(_ event: AutomationEvent, at time: Timestamp) {
        if let event = event.historyEvent(at: time) { metrics.record(event) }
        switch event {
        case .read(let volume, let pressure, let thresholds):
            change {
                $0.volumes[volume.mountPoint] = .init(
                    HistoryVolume(mountPoint: volume.mountPoint, type: volume.type), pressure,
                    thresholds: thresholds)
            }
        case .plight(let plight, _): change { $0.helpless.insert(plight.volume) }
        case .relieved(let volume): change { $0.helpless.remove(volume) }
        case .gone(let volume): forget(volume)
        case .ended(let result):
            guard result.outcome == .purged, let receipt = result.receipt else { return }
            note(
                receipt, result.trigger, volume: result.volume, reachedTarget: result.isComplete)
        case .purgedByHand(let receipt, let volume):
            // A person's target is what was shown.
            note(
                receipt, .byHand, volume: volume, reachedTarget: receipt.outcome == .completed)
        case .modules(let run): note(run)
        case .withheld(let places): metrics.set(withheld: places.count)
        case .watching, .pressure, .began, .putOff, .wouldRemove, .agePause, .looked, .trouble:
            break
        }
    }

    /// Takes the forecast of a volume's bytes.
    public func set(_ forecast: Forecast, of volume: FilePath) {
        change { $0.forecasts[volume] = forecast }
    }

    /// Takes what areas of a volume occupy.
    public func set(_ survey: AreaSurvey) {
        state.withLock { state in
            state.surveys[survey.volume] = survey
            metrics.set(areas: Array(state.surveys.values))
        }
    }

    /// Takes how long a look at areas took.
    public func note(lookTook duration: Duration) { metrics.record(scanTook: duration) }

    /// Forgets volumes, areas and modules, before other ones are watched; a forecast is shown again with its volume.
    public func reset() {
        state.withLock { state in
            let forecasts = state.forecasts
            state = State()
            state.forecasts = forecasts
            state.write(to: metrics)
            metrics.set(areas: [])
            metrics.set(modules: [:])
            metrics.set(withheld: 0)
        }
    }

    private func forget(_ volume: FilePath) {
        change { state in
            state.volumes[volume] = nil
            state.helpless.remove(volume)
            state.forecasts[volume] = nil
            state.surveys.removeValue(forKey: volume)
            metrics.set(areas: Array(state.surveys.values))
        }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            state.write(to: metrics)
        }
    }

    private func note(
        _ receipt: Receipt, _ trigger: CleaningTrigger, volume: FilePath?, reachedTarget: Bool
    ) {
        var skipped: [Reason.Code: Int] = [:]
        for item in receipt.skipped { skipped[item.reason.code, default: 0] += 1 }
        metrics.record(
            ReceiptSummary(receipt, trigger: trigger, volume: volume),
            reachedTarget: reachedTarget, skipped: skipped,
            duration: receipt.ended.map { max(.zero, $0.duration(since: receipt.started)) })
    }

    private func note(_ run: ModuleRun) {
        state.withLock { state in
            for report in run.modules {
                if let usage = report.after ?? report.before { state.modules[report.id] = usage }
            }
            metrics.set(modules: state.modules)
        }
    }
}
