//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
public import HeadroomEngine
import HeadroomPlatform
import Synchronization
public import SystemPackage

/// Knows what areas occupy: by what policies see of them anyway, and by what was purged since.
///
/// Nothing is looked at for its sake. Of each volume one look in five minutes is summed up: while a level
/// lasts there may be one every few seconds.
public final class AreaBook: Sendable {
    private let onSurvey: @Sendable (AreaSurvey) -> Void
    private let onPurge: @Sendable (AreaSurvey) -> Void
    private let onLook: @Sendable (Duration) -> Void
    private let onTrouble: @Sendable (String) -> Void
    private let interval: Duration
    private let uptime: @Sendable () -> Duration
    private let volumes = Mutex<[FilePath?: Entry]>([:])

    private struct Entry {
        var survey: AreaSurvey
        /// By the clock that nobody sets.
        var time: Duration
        /// No look has come since that was not summed up.
        var isCurrent = true
    }

    /// How many items are named as what was written lately.
    private static let namedItems = 5

    /// - Parameters:
    ///   - interval: of one volume, looks are summed up no more often than this.
    ///   - uptime: the time since any moment, of a clock that only goes forward; nil: the machine's.
    ///   - onLook: told how long each look took.
    ///   - onSurvey: told what areas of a volume occupied when they were looked at.
    ///   - onPurge: told what is left of it, by the receipt of a purge.
    ///   - onTrouble: told what is wrong, in whole sentences.
    public init(
        interval: Duration = .seconds(300), uptime: (@Sendable () -> Duration)? = nil,
        onLook: @escaping @Sendable (Duration) -> Void,
        onSurvey: @escaping @Sendable (AreaSurvey) -> Void,
        onPurge: @escaping @Sendable (AreaSurvey) -> Void,
        onTrouble: @escaping @Sendable (String) -> Void
    ) {
        self.interval = interval
        let start = ContinuousClock.now
        self.uptime = uptime ?? { ContinuousClock.now - start }
        self.onLook = onLook
        self.onSurvey = onSurvey
        self.onPurge = onPurge
        self.onTrouble = onTrouble
    }

    /// Takes a look of a policy. Blocks while it is summed up.
    public func show(_ look: PolicyLook) {
        onLook(look.duration)
        let now = uptime()
        let isDue = volumes.withLock { volumes in
            guard let last = volumes[look.volume], now - last.time < interval else { return true }
            volumes[look.volume]?.isCurrent = false
            return false
        }
        guard isDue else { return }
        // Growth is looked for in these times, and in what came between the looks around them.
        let spans = GrowthRule.standard.windows.map { $0.length * 2 }
        do throws(HeadroomError) {
            let survey = try look.survey(recentWithin: spans, items: Self.namedItems)
            volumes.withLock { $0[look.volume] = Entry(survey: survey, time: now) }
            onSurvey(survey)
        } catch {
            onTrouble(error.message)
        }
    }

    /// Takes what was purged: that is no longer there.
    public func note(_ result: PolicyResult) {
        guard result.outcome == .purged, let receipt = result.receipt else { return }
        note(receipt, of: result.volume)
    }

    /// Takes a receipt: what it says has gone is no longer there.
    ///
    /// - Parameter volume: nil: it was about several. Of those its areas are known, but not which of them had what of
    ///   a class: that is as it was until the next look.
    public func note(_ receipt: Receipt, of volume: FilePath?) {
        let surveys: [AreaSurvey] = volumes.withLock { volumes in
            let isKnown = volumes[volume] != nil
            var surveys: [AreaSurvey] = []
            for (name, entry) in volumes where isKnown ? name == volume : volume == nil {
                // What others wrote since a look that was not summed up is not known.
                guard entry.isCurrent else { continue }
                var survey = entry.survey
                survey.subtractAreas(receipt)
                if isKnown {
                    survey.subtractClasses(receipt)
                } else if survey.areas == entry.survey.areas {
                    continue
                }
                volumes[name]?.survey = survey
                surveys.append(survey)
            }
            return surveys
        }
        for survey in surveys { onPurge(survey) }
    }

    /// Forgets what is on a volume that is gone: what is there when it is back is looked at anew.
    public func forget(_ volume: FilePath) {
        volumes.withLock { _ = $0.removeValue(forKey: volume) }
    }

    /// Forgets all, before other areas are looked at.
    public func reset() { volumes.withLock { $0 = [:] } }
}

extension AreaSurvey {
    /// Takes away what a receipt says has gone from its areas.
    fileprivate mutating func subtractAreas(_ receipt: Receipt) {
        time = max(time, receipt.ended ?? time)
        for index in areas.indices {
            let name = areas[index].root.displayText
            guard let total = receipt.perArea.first(where: { $0.name == name }) else { continue }
            areas[index].allocated = max(.zero, areas[index].allocated - total.bytes)
            areas[index].purgeable = max(.zero, areas[index].purgeable - total.bytes)
            areas[index].items = max(0, areas[index].items - total.count)
        }
    }

    /// Takes away what a receipt says has gone of each class.
    fileprivate mutating func subtractClasses(_ receipt: Receipt) {
        for total in receipt.perClass {
            guard let purgeClass = PlannedClass(name: total.name),
                let before = purgeable[purgeClass]
            else { continue }
            purgeable[purgeClass] = max(.zero, before - total.bytes)
        }
    }
}
