//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
public import HeadroomPlatform
import SystemPackage

extension AutomationEvent {
    /// What people who look back should find; nil: nothing.
    ///
    /// - Parameter time: when it was.
    public func historyEvent(at time: Timestamp) -> HistoryEvent? {
        switch self {
        case .pressure(let change): Self.levelEvent(change, time)
        case .ended(let result): Self.missedEvent(result, time)
        case .modules(let run):
            run.modules.contains { $0.isInTrouble }
                ? HistoryEvent(
                    time: time, kind: .service,
                    text: run.modules.filter(\.isInTrouble).map { "\($0)" }
                        .joined(separator: "; ") + ".") : nil
        case .agePause(let text):
            HistoryEvent(
                time: time, kind: .service, text: text ?? "Age rules hold again.")
        case .trouble(let text): HistoryEvent(time: time, kind: .service, text: text)
        case .watching, .gone, .read, .began, .putOff, .wouldRemove, .purgedByHand, .plight,
            .relieved, .withheld, .looked:
            nil
        }
    }

    private static func levelEvent(_ change: PressureChange, _ time: Timestamp) -> HistoryEvent? {
        // The first word about a volume is none about a change, unless it is a bad one.
        guard let level = change.level, level != change.previousLevel ?? .normal else { return nil }
        let mountPoint = change.volume.mountPoint
        let available = change.volume.figures.map { ", with \($0.available) available" } ?? ""
        return HistoryEvent(
            time: time, kind: .level, volume: mountPoint, level: level,
            text: "\(mountPoint.displayText) is at \(level.name)\(available).")
    }

    private static func missedEvent(_ result: PolicyResult, _ time: Timestamp) -> HistoryEvent? {
        guard result.outcome == .purged, !result.missing.isEmpty else { return nil }
        return HistoryEvent(
            time: time, kind: .missed, volume: result.volume,
            level: result.missing.map(\.level).max(), text: "\(result)")
    }
}

extension ModuleReport {
    /// Whether people should look after it.
    var isInTrouble: Bool {
        switch outcome {
        case .failed, .timedOut, .stillRunning: true
        case .cleaned, .notNeeded, .cancelled: false
        }
    }
}
