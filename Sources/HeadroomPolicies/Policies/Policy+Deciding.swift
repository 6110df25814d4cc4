//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform

extension Policy {
    /// Decides what to purge. Pure: looks at nothing but what it is given.
    ///
    /// - What is due goes when a trigger comes that nobody waits for, or a person asks; it waits for
    ///   quiet hours to end and for the mains.
    /// - What a level asks for goes whatever the trigger is, while less than the target is available;
    ///   it waits for nothing.
    /// - While the level is normal and warning is near, temporary content goes ahead of time, when what
    ///   is due might.
    public func decide(_ situation: PolicySituation) -> PolicyDecision {
        var decision = PolicyDecision()
        decideDue(situation, &decision)
        guard let pressure = situation.pressure, let level = pressure.level,
            let figures = pressure.figures, pressure.state == .answering
        else {
            decision.rest(.noLevel, "The volume has no level, or does not say now how full it is.")
            return decision
        }
        if level == .normal {
            decideAheadOfTime(situation, figures, &decision)
        } else {
            decideLevel(situation, level, pressure, figures, &decision)
        }
        return decision
    }

    /// Why what can wait does; nil: it does not.
    func delay(_ situation: PolicySituation) -> Reason? {
        // A person who asks does not wait for anything.
        guard situation.trigger != .byHand else { return nil }
        if let minute = situation.minuteOfDay,
            let hours = quietHours.first(where: { $0.contains(minute: minute) })
        {
            return Reason(.quietHours, "It is quiet from \(hours): what can wait does.")
        }
        // mutation: r25d-2 (2 lines)
        guard onBattery == .waits, situation.isOnBattery else { return nil }
        return Reason(.onBattery, "The machine runs on battery: what can wait does.")
    }

    // MARK: - What is due

    private func decideDue(_ situation: PolicySituation, _ decision: inout PolicyDecision) {
        switch situation.trigger {
        case .launch, .versionChange, .interval, .byHand: break
        case .levelChange, .beforeWrite, .outOfSpace, .forecast: return
        }
        guard normal > .nothing else {
            return decision.rest(
                .spendsNothing, "The policy lets nothing go while it is not needed.")
        }
        if let reason = delay(situation) { return decision.putOff(reason) }
        decision.steps.append(
            // mutation: r25e-4
            PolicyStep(.due, spending: normal, goesByAge: situation.ageRulesHold))
        if !situation.ageRulesHold {
            decision.rest(
                .clockMoved,
                "The wall clock was moved by more than a day: what has expired stays for a day.")
        }
    }

    // MARK: - What is short

    private func decideAheadOfTime(
        _ situation: PolicySituation, _ figures: PressureReading.Figures,
        _ decision: inout PolicyDecision
    ) {
        let outlooks: [(PolicyNeed.Resource, Forecast.Outlook)] = [
            (.bytes, situation.bytesOutlook), (.inodes, situation.inodesOutlook),
        ]
        var needs: [PolicyNeed] = []
        var isNear = false
        for (resource, outlook) in outlooks
        where forecastHorizon > .zero && outlook.isLikely(within: forecastHorizon) {
            isNear = true
            guard
                let need = need(
                    resource, crossing: .warning, figures, situation.thresholds)
            else { continue }
            var early = need
            early.level = .normal
            needs.append(early)
        }
        guard isNear else {
            return decision.rest(.levelNormal, "The level is normal, and warning is not near.")
        }
        guard !needs.isEmpty else { return restEnough(&decision) }
        guard normal > .nothing else {
            return decision.rest(
                .spendsNothing, "The policy lets nothing go while it is not needed.")
        }
        if let reason = delay(situation) { return decision.putOff(reason) }
        decision.steps.append(
            PolicyStep(
                // mutation: r24d-1
                .aheadOfTime, spending: .temporary, needs: needs,
                goesByAge: situation.ageRulesHold))
    }

    /// What is short goes to the target of the threshold that it has crossed, by what may be spent at
    /// that level: inodes at warning do not cost last resort because bytes are at critical.
    private func decideLevel(
        _ situation: PolicySituation, _ level: PressureLevel, _ pressure: VolumePressure,
        _ figures: PressureReading.Figures, _ decision: inout PolicyDecision
    ) {
        let crossed = [
            (PolicyNeed.Resource.bytes, min(pressure.bytesLevel, level)),
            (PolicyNeed.Resource.inodes, min(pressure.inodesLevel, level)),
        ]
        for step in [PressureLevel.warning, .critical] {
            let needs = crossed.filter { $0.1 == step }.compactMap {
                need($0.0, crossing: step, figures, situation.thresholds)
            }
            guard !needs.isEmpty else { continue }
            decision.steps.append(
                PolicyStep(
                    // mutation: r24a-2
                    // mutation: r24a-3
                    .level(step), spending: spending(at: step), needs: needs,
                    goesByAge: situation.ageRulesHold))
        }
        if !decision.steps.contains(where: { $0.purpose != .due }) { restEnough(&decision) }
    }

    private func restEnough(_ decision: inout PolicyDecision) {
        decision.rest(.enoughAvailable, "As much is available as a purge would reach.")
    }

    /// - Returns: nil if nothing is missing to the target, and for inodes that are not limited.
    private func need(
        _ resource: PolicyNeed.Resource, crossing level: PressureLevel,
        _ figures: PressureReading.Figures, _ thresholds: PressureThresholds
    ) -> PolicyNeed? {
        let available: Int64
        let total: Int64
        let threshold: Double
        let minimum: Double
        switch resource {
        case .bytes:
            (available, total) = (figures.available.bytes, figures.total.bytes)
            threshold = Double(thresholds.bytes(level, of: figures.total).bytes)
            // mutation: r24b-1 (2 lines)
            minimum = min(
                Double(minimumReclaimLimit.bytes), Double(total) * minimumReclaimShare)
        case .inodes:
            guard let inodes = figures.inodes, let left = figures.availableInodes else {
                return nil
            }
            (available, total) = (Int64(clamping: left), Int64(clamping: inodes))
            threshold = Double(total) * thresholds.inodeShare(level)
            minimum = Double(total) * minimumReclaimShare
        }
        let target = min(total, Int64(clampingOrZero: threshold * targetFactor))
        let need = PolicyNeed(
            resource, at: level, available: available, target: target,
            minimum: max(0, Int64(clampingOrZero: minimum)))
        // mutation: r23e-1
        return need.shortage > 0 ? need : nil
    }
}
