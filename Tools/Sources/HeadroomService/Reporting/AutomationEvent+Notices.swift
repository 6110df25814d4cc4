//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
public import HeadroomConfiguration
import HeadroomEngine
public import HeadroomPlatform
import SystemPackage

extension AutomationEvent {
    /// What people should be told; empty: nothing.
    ///
    /// - Parameters:
    ///   - mode: in `ask`, a plan waits for a person.
    ///   - time: when it was.
    public func notices(mode: ServiceMode, at time: Timestamp) -> [Notice] {
        told(mode, time).map { notice in
            var notice = notice
            // The log tells what happens by itself; but not that a plan waits for a person.
            notice.isInLog = notice.kind != .confirmation
            return notice
        }
    }

    private func told(_ mode: ServiceMode, _ time: Timestamp) -> [Notice] {
        switch self {
        case .plight(let plight, _):
            var notice = Notice(
                time: time, kind: .cannotHelp, volume: plight.volume, level: plight.need.level,
                // Of a volume that lacks both, both are told.
                subject: plight.need.resource.rawValue, text: "\(plight)")
            notice.figures = Self.figures(plight.need)
            notice.figures["eligible" + plight.need.resource.figure] = plight.eligible
            return [notice]
        case .relieved(let volume):
            return [
                Notice(
                    time: time, kind: .level, volume: volume,
                    text: "\(volume.displayText) is out of its plight: nothing is missing any more."
                )
            ]
        case .ended(let result): return Self.notice(result, mode, time).map { [$0] } ?? []
        case .modules(let run):
            return run.modules.filter(\.isInTrouble).map { report in
                Notice(
                    time: time, kind: .service, subject: report.id,
                    text: "The module \(report.id) is in trouble. \(report).")
            }
        case .agePause(let text?):
            return [Notice(time: time, kind: .service, subject: "clock", text: text)]
        case .agePause(nil): return []
        case .trouble(let text): return [Notice(time: time, kind: .service, text: text)]
        case .pressure(let change): return Self.notice(change.volume, time).map { [$0] } ?? []
        // Who has confirmed it sees what came of it.
        case .watching, .gone, .read, .began, .putOff, .wouldRemove, .purgedByHand, .withheld,
            .looked:
            return []
        }
    }

    /// That a volume does not answer.
    private static func notice(_ volume: VolumePressure, _ time: Timestamp) -> Notice? {
        let name = volume.mountPoint.displayText
        let text: String
        switch volume.state {
        case .silent: text = "\(name) does not answer"
        case .failing(let error): text = "\(name) cannot be asked how full it is (\(error))"
        // mutation: r23c-1/1
        case .exempt(.readOnly):
            return Notice(
                time: time, kind: .volume, volume: volume.mountPoint,
                text:
                    "\(name) is mounted read-only: nothing can be written or purged there. If no "
                    + "administrator has remounted it, the kernel did because of errors: see dmesg."
            )
        // mutation: r23c-1/2
        case .unread, .answering, .exempt(.pseudo): return nil
        }
        return Notice(
            time: time, kind: .volume, volume: volume.mountPoint,
            text: "\(text): until that is over nobody knows whether it fills, and no level purges "
                + "there. Look after what it is on.")
    }

    private static func notice(
        _ result: PolicyResult, _ mode: ServiceMode, _ time: Timestamp
    ) -> Notice? {
        var notice = Notice(
            time: time, kind: .missed, volume: result.volume, subject: result.step.purpose.name,
            text: "\(result)")
        switch result.outcome {
        // Where the plight is told, this would say the same.
        case .purged where !result.missing.isEmpty && result.plights.isEmpty:
            notice.level = result.missing.map(\.level).max()
            for need in result.missing { notice.figures.merge(figures(need)) { $1 } }
        case .failed(let text):
            notice.kind = .service
            notice.text = text
        case .proposed where mode == .ask && result.plannedItems > 0:
            notice.kind = .confirmation
            notice.level = result.step.needs.map(\.level).max()
            notice.text +=
                " It waits for a person: the page of the service shows what would go, and lets it."
            notice.figures = [
                "plannedBytes": result.planned.bytes, "plannedItems": Int64(result.plannedItems),
            ]
        case .nothing, .proposed, .purged, .busy: return nil
        }
        return notice
    }

    private static func figures(_ need: PolicyNeed) -> [String: Int64] {
        let unit = need.resource.figure
        return [
            "available" + unit: need.available, "missing" + unit: need.shortage,
            "target" + unit: need.target,
        ]
    }
}

extension PolicyNeed.Resource {
    /// What the names of its figures end with.
    fileprivate var figure: String {
        switch self {
        case .bytes: "Bytes"
        case .inodes: "Inodes"
        }
    }
}
