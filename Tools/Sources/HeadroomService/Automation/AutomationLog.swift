//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
public import Logging
import Synchronization
import SystemPackage

/// Writes what the automation does into the log: what was missed or cannot be helped as errors.
///
/// A line that repeats an earlier one is written once an hour, with the number of its repetitions. Of a
/// proposal, the first ``proposedItems`` items are listed.
public final class AutomationLog: Sendable {
    /// How many items of a proposal are listed.
    public static let proposedItems = 10

    private let logger: Logger
    private let uptime: @Sendable () -> Duration
    private let state = Mutex(State())

    private struct State {
        var repeated = RepeatedLines()
        /// The number of items in the current proposal so far, by volume.
        var proposed: [FilePath: Int] = [:]
    }

    /// - Parameter clock: tells when a line is to be repeated.
    public init(_ logger: Logger, clock: any Clock<Duration> = ContinuousClock()) {
        self.logger = logger
        uptime = Self.stopwatch(clock)
    }

    private static func stopwatch<C: Clock<Duration>>(
        _ clock: C
    ) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// Writes a line unless it repeats an earlier one.
    ///
    /// - Parameters:
    ///   - key: the subject, beside the text.
    ///   - content: distinguishes lines with the same subject; nil: the metadata.
    private func log(
        _ level: Logger.Level, _ text: Logger.Message, _ metadata: Logger.Metadata,
        about key: String, content: String? = nil
    ) {
        let content =
            content
            ?? metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            .joined(separator: " ")
        let now = uptime()
        guard
            let repeats = state.withLock({
                $0.repeated.take("\(text) \(key)", "\(level) \(content)", at: now)
            })
        else { return }
        var metadata = metadata
        if repeats > 0 { metadata["repeated"] = "\(repeats)" }
        logger.log(level: level, text, metadata: metadata)
    }

    /// Whether an item of a proposal is one of those that are listed.
    private func isListed(_ volume: FilePath) -> Bool {
        state.withLock { state in
            state.proposed[volume, default: 0] += 1
            // mutation: r24e-5
            return state.proposed[volume, default: 0] <= Self.proposedItems
        }
    }

    /// How many items of the proposal were not listed.
    private func takeUnlisted(_ volume: FilePath) -> Int {
        state.withLock { state in
            max(0, (state.proposed.removeValue(forKey: volume) ?? 0) - Self.proposedItems)
        }
    }

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
            _ = takeUnlisted(volume)
            log(
                .info, "beginning",
                [
                    "trigger": "\(trigger.name)", "volume": "\(volume.displayText)",
                    "steps": "\(steps.map(\.purpose.name).joined(separator: ", "))",
                ], about: volume.string)
        case .putOff(let trigger, let volume, let reason):
            log(
                .info, "postponing a cleaning that can wait",
                [
                    "trigger": "\(trigger.name)", "volume": "\(volume.displayText)",
                    "code": "\(reason.code)", "reason": "\(reason.text)",
                ], about: volume.string)
        case .wouldRemove(let entry, let volume):
            guard isListed(volume) else { return }
            log(
                .info, "would remove",
                [
                    "path": "\(entry.path.displayText)", "class": "\(entry.purgeClass.name)",
                    "bytes": "\(entry.bytes.bytes)", "reason": "\(entry.reason.text)",
                ], about: entry.path.string, content: entry.purgeClass.name)
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
                    log(
                        .warning, "a module is in trouble",
                        ["module": "\(report.id)", "what": "\(report)"], about: report.id)
                case .cleaned, .notNeeded, .cancelled:
                    log(
                        .info, "a module was asked",
                        ["module": "\(report.id)", "what": "\(report)"], about: report.id)
                }
            }
        case .withheld(let places):
            for place in places {
                logger.notice(
                    "leaving a new declaration alone until its grace is over",
                    metadata: ["path": "\(place.displayText)"])
            }
        case .agePause(let text?):
            logger.warning("age rules pause", metadata: ["reason": "\(text)"])
        case .agePause(nil): logger.notice("age rules hold again")
        case .looked(let volume, let reading): note(reading, of: volume)
        case .trouble(let text):
            log(.warning, "something is wrong", ["what": "\(text)"], about: text)
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
        case .exempt(.readOnly):
            logger.warning(
                "a volume is mounted read-only, and nothing is purged on it", metadata: metadata)
        case .unread, .answering, .exempt(.pseudo):
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
        log(
            .info, "looked at the areas of a volume",
            [
                "volume": "\(volume.displayText)", "by": reading.isScan ? "scan" : "changes",
                "items": "\(reading.items)", "directories": "\(reading.directories)",
                "directories-read": "\(reading.directoriesRead)",
                "entries-read": "\(reading.entriesRead)", "time": "\(reading.duration)",
            ], about: volume.string,
            content: "\(reading.isScan) \(reading.items) \(reading.directories)")
        for reason in reading.news {
            log(
                .notice, "directories that cannot be watched are read again for each plan",
                ["volume": "\(volume.displayText)", "reason": "\(reason.text)"],
                about: volume.string + reason.text)
        }
    }

    private func note(_ result: PolicyResult) {
        var metadata: Logger.Metadata = ["result": "\(result)"]
        if let receipt = result.receipt { metadata["receipt"] = "\(receipt.id)" }
        let (level, text): (Logger.Level, Logger.Message)
        switch result.outcome {
        case .nothing: (level, text) = (.info, "nothing was purged")
        case .proposed:
            (level, text) = (.info, "nothing was purged")
            let unlisted = result.volume.map(takeUnlisted) ?? 0
            if unlisted > 0 { metadata["unlisted"] = "\(unlisted)" }
        case .busy: (level, text) = (.notice, "others purge here")
        case .failed: (level, text) = (.error, "a purge failed")
        case .purged:
            (level, text) =
                result.isComplete
                ? (.notice, "purged")
                : (Self.severity(of: result), "purged, and the target was missed")
        }
        if let receipt = result.receipt, receipt.removedCount + receipt.emptiedCount > 0 {
            // Each deletion has a line.
            return logger.log(level: level, text, metadata: metadata)
        }
        // Figures of the volume change all the time.
        var reasons = Set(result.reasons.map(\.code.description)).sorted()
        switch result.outcome {
        case .busy(let message), .failed(let message): reasons.append(message)
        case .nothing, .proposed, .purged: break
        }
        log(
            level, text, metadata,
            about: "\(result.volume?.string ?? "") \(result.step.purpose.name)",
            content: "\(result.trigger.name) \(result.plannedItems) "
                + reasons.joined(separator: " "))
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
