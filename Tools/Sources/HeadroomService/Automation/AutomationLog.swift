//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
public import Logging
import SystemPackage

/// Writes what the automation does into the log: what was missed or cannot be helped as errors.
public struct AutomationLog: Sendable {
    private let logger: Logger

    public init(_ logger: Logger) { self.logger = logger }

    public func note(_ event: AutomationEvent) {
        switch event {
        case .watching(let volume):
            logger.info("watching a volume", metadata: ["volume": "\(volume.displayText)"])
        case .gone(let volume):
            logger.notice(
                "a volume is gone, and is not watched until it is back",
                metadata: ["volume": "\(volume.displayText)"])
        case .pressure(let change): note(change)
        case .read: break
        case .began(let trigger, let volume, let steps):
            logger.info(
                "beginning",
                metadata: [
                    "trigger": "\(trigger.name)", "volume": "\(volume.displayText)",
                    "steps": "\(steps.map(\.purpose.name).joined(separator: ", "))",
                ])
        case .putOff(let trigger, let volume, let reason):
            logger.info(
                "putting off what can wait",
                metadata: [
                    "trigger": "\(trigger.name)", "volume": "\(volume.displayText)",
                    "code": "\(reason.code)", "reason": "\(reason.text)",
                ])
        case .wouldRemove(let entry, _):
            logger.info(
                "would remove",
                metadata: [
                    "path": "\(entry.path.displayText)", "class": "\(entry.purgeClass.name)",
                    "bytes": "\(entry.bytes.bytes)", "reason": "\(entry.reason.text)",
                ])
        case .ended(let result): note(result)
        case .purgedByHand(let receipt, _):
            logger.notice(
                "purged what a person has confirmed",
                metadata: [
                    "receipt": "\(receipt.id)", "items": "\(receipt.removedCount)",
                    "bytes": "\(receipt.expected.bytes)", "outcome": "\(receipt.outcome.rawValue)",
                ])
        case .plight(let plight, let isReminder):
            logger.error(
                "a volume cannot be helped",
                metadata: ["what": "\(plight)", "reminder": "\(isReminder)"])
        case .relieved(let volume):
            logger.notice(
                "a volume is out of its plight", metadata: ["volume": "\(volume.displayText)"])
        case .modules(let run):
            for report in run.modules {
                switch report.outcome {
                case .failed, .timedOut, .stillRunning:
                    logger.warning(
                        "a module is in trouble",
                        metadata: ["module": "\(report.id)", "what": "\(report)"])
                case .cleaned, .notNeeded, .cancelled:
                    logger.info(
                        "a module was asked",
                        metadata: ["module": "\(report.id)", "what": "\(report)"])
                }
            }
        case .withheld(let places):
            for place in places {
                logger.notice(
                    "leaving a new declaration alone until its grace is over",
                    metadata: ["path": "\(place.displayText)"])
            }
        case .looked(let volume, let reading): note(reading, of: volume)
        case .trouble(let text): logger.warning("something is wrong", metadata: ["what": "\(text)"])
        }
    }

    private func note(_ change: PressureChange) {
        var metadata: Logger.Metadata = [
            "volume": "\(change.volume.mountPoint.displayText)",
            "level": "\(change.level?.name ?? "none")",
            "before": "\(change.previousLevel?.name ?? "none")",
            "available": "\(change.volume.figures?.available.description ?? "unknown")",
        ]
        switch change.volume.state {
        case .silent:
            logger.warning("a volume does not answer", metadata: metadata)
        case .failing(let error):
            metadata["error"] = "\(error)"
            logger.warning("a volume cannot be asked how full it is", metadata: metadata)
        case .unread, .answering, .exempt:
            if change.isWorse {
                logger.warning("a volume is short of space", metadata: metadata)
            } else if change.level != nil, change.level == change.previousLevel {
                // Nothing else can have changed.
                logger.notice("a volume answers again", metadata: metadata)
            } else {
                logger.info("the level of a volume", metadata: metadata)
            }
        }
    }

    private func note(_ reading: InventoryReading, of volume: FilePath) {
        logger.info(
            "looked at the areas of a volume",
            metadata: [
                "volume": "\(volume.displayText)", "by": reading.isScan ? "scan" : "changes",
                "items": "\(reading.items)", "directories": "\(reading.directories)",
                "directories-read": "\(reading.directoriesRead)",
                "entries-read": "\(reading.entriesRead)", "time": "\(reading.duration)",
            ])
        for reason in reading.news {
            logger.notice(
                "what cannot be followed is read again for each plan",
                metadata: ["volume": "\(volume.displayText)", "reason": "\(reason.text)"])
        }
    }

    private func note(_ result: PolicyResult) {
        var metadata: Logger.Metadata = ["result": "\(result)"]
        if let receipt = result.receipt { metadata["receipt"] = "\(receipt.id)" }
        switch result.outcome {
        case .nothing, .proposed: logger.info("nothing was purged", metadata: metadata)
        case .busy: logger.notice("others purge here", metadata: metadata)
        case .failed: logger.error("a purge failed", metadata: metadata)
        case .purged:
            if result.isComplete {
                logger.notice("purged", metadata: metadata)
            } else {
                logger.log(
                    level: Self.severity(of: result), "purged, and the target was missed",
                    metadata: metadata)
            }
        }
    }

    /// How bad it is that a target was missed: that others write, use what should go, or stop the service
    /// is no fault.
    static func severity(of result: PolicyResult) -> Logger.Level {
        let codes = Set(result.reasons.map(\.code))
        if codes.contains(.breaker) { return .error }
        // What cannot be helped is told by itself.
        if !result.plights.isEmpty { return .notice }
        if !codes.isDisjoint(with: [.notEnough, .notGained]) { return .warning }
        return .notice
    }
}
