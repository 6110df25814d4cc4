//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import SystemPackage

/// Decides which notices are told: the first, each that says something new, and then one an hour.
///
/// About one thing, which is a kind with a volume and a subject, something is new when the level changed;
/// where there is no level, when the text did.
public struct NoticeLimiter: Sendable {
    /// What is still so is told again after this.
    public var interval: Duration
    private var told: [Topic: Told] = [:]

    private struct Topic: Hashable {
        var kind: Notice.Kind
        var volume: FilePath?
        var subject: String?
    }

    private struct Told {
        var state: String
        var time: Duration
        /// How many of the same were not told since.
        var suppressed = 0
    }

    /// More than that many topics at once nobody has; the oldest are forgotten.
    static let topicLimit = 1_000

    public init(interval: Duration) {
        self.interval = interval
    }

    /// Whether a notice is to be told now.
    ///
    /// - Parameter now: of a clock that only goes forward; from any beginning.
    public mutating func admits(_ notice: Notice, at now: Duration) -> Bool {
        let topic = Topic(kind: notice.kind, volume: notice.volume, subject: notice.subject)
        let state = notice.level?.name ?? notice.text
        if let last = told[topic], last.state == state, now - last.time < interval {
            told[topic]?.suppressed += 1
            return false
        }
        told[topic] = Told(state: state, time: now)
        if told.count > Self.topicLimit,
            let oldest = told.min(by: { $0.value.time < $1.value.time })
        {
            told[oldest.key] = nil
        }
        return true
    }

    /// Forgets a notice, because its cause is over: if it comes back, that is news.
    public mutating func forget(_ notice: Notice) {
        told[Topic(kind: notice.kind, volume: notice.volume, subject: notice.subject)] = nil
    }

    /// How many notices about the same were held back since the last was told.
    public func suppressed(_ notice: Notice) -> Int {
        let topic = Topic(kind: notice.kind, volume: notice.volume, subject: notice.subject)
        return told[topic]?.suppressed ?? 0
    }
}
