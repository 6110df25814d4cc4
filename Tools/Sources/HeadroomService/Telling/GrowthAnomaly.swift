//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
public import HeadroomPlatform
public import SystemPackage

/// An area or a module that grew beyond its usual rate.
public struct GrowthAnomaly: Hashable, Sendable {
    public var subject: UsageSubject
    /// The time in which it grew.
    public var window: Duration
    public var growth: ByteCount
    /// The most that it usually grows in such a time: what was exceeded no more than once in two weeks.
    public var usual: ByteCount
    /// What it occupies now.
    public var usage: ByteCount
    /// The largest that was made or written to in that time, the largest first.
    public var largest: [Item]

    public struct Item: Hashable, Sendable {
        public var path: FilePath
        public var bytes: ByteCount
        /// When it was made or last written to; nil: in any case lately.
        public var written: Timestamp?

        public init(path: FilePath, bytes: ByteCount, written: Timestamp? = nil) {
            self.path = path
            self.bytes = bytes
            self.written = written
        }
    }
}

/// What counts as unusual.
public struct GrowthRule: Hashable, Sendable {
    /// The times in which growth is looked at, and how many of each must have passed before for there to
    /// be a usual rate.
    public var windows: [(length: Duration, least: Int)] {
        [(.seconds(3_600), 48), (.seconds(86_400), 7)]
    }
    /// So many times what is usual.
    public var factor = 3.0
    // mutation: r41b-1
    /// Less is nothing to speak of; 500 MB.
    public var least: ByteCount = .megabytes(500)
    /// How many of the largest items are named; 5.
    public var items = 5
    /// How far back is looked for what is usual; 28 days.
    public var past: Duration = .seconds(28 * 86_400)

    public static let standard = GrowthRule()

    public init() {}
}

extension GrowthAnomaly {
    /// Looks whether something grew beyond its usual rate. A pure function.
    ///
    /// What is usual is the growth that was exceeded in no more than one window of two weeks before the
    /// last. So what happens every week is usual, and what happened once is not. A subject that is younger
    /// than the rule asks for has no usual rate, and no anomaly; nor has a time in which it was not looked
    /// at often enough to tell.
    ///
    /// - Parameters:
    ///   - samples: of the history, by time, the present included.
    ///   - newItems: what was made or written to lately, in any order: the largest are named that were
    ///     in the time in which it grew.
    /// - Returns: of the windows in which it did, the one that lies furthest above what is usual.
    /// - Complexity: O(samples + windows × log samples).
    public static func find(
        _ subject: UsageSubject, samples: [UsageSample], newItems: [Item] = [], now: Timestamp,
        rule: GrowthRule = .standard
    ) -> GrowthAnomaly? {
        guard let last = samples.last, let first = samples.first else { return nil }
        var found: (anomaly: GrowthAnomaly, ratio: Double)?
        for (length, least) in rule.windows {
            guard now.duration(since: last.time) < length,
                let before = sample(samples, at: last.time.advanced(by: .zero - length)),
                // Of what was looked at once a day nobody knows how it grew in the last hour.
                last.time.duration(since: before.time) <= length * 2
            else { continue }
            let growth = last.bytes - before.bytes
            guard growth >= rule.least else { continue }
            // The windows before this one, end to end.
            var past: [Int64] = []
            var end = last.time.advanced(by: .zero - length)
            let limit = max(first.time, last.time.advanced(by: .zero - rule.past))
            while true {
                let start = end.advanced(by: .zero - length)
                guard start >= limit, let from = sample(samples, at: start),
                    let to = sample(samples, at: end)
                else { break }
                past.append(max(0, (to.bytes - from.bytes).bytes))
                end = start
            }
            guard past.count >= least else { continue }
            past.sort()
            // Once in two weeks it may have been more: what was told then is not usual from then on.
            let span = length.components.seconds * Int64(past.count)
            let usual = past[max(0, past.count - 1 - Int(span / (14 * 86_400)))]
            let ratio = Double(growth.bytes) / Double(max(usual, 1))
            guard ratio > rule.factor, ratio > found?.ratio ?? 0 else { continue }
            let largest = newItems.filter { item in
                item.written.map { $0 >= before.time } ?? true
            }.sorted { $0.bytes > $1.bytes }.prefix(rule.items)
            found = (
                GrowthAnomaly(
                    subject: subject, window: length, growth: growth, usual: ByteCount(usual),
                    usage: last.bytes, largest: Array(largest)), ratio
            )
        }
        return found?.anomaly
    }

    /// What it occupied at a time: by the last sample before it.
    private static func sample(_ samples: [UsageSample], at time: Timestamp) -> UsageSample? {
        var (low, high) = (0, samples.count)
        while low < high {
            let middle = (low + high) / 2
            if samples[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? samples[low - 1] : nil
    }

    /// What people who look back should find.
    public func event(at time: Timestamp, volume: FilePath? = nil) -> HistoryEvent {
        HistoryEvent(
            time: time, kind: .anomaly, volume: volume, subject: subject.name,
            text: notice(at: time).text)
    }

    /// What people are told.
    public func notice(at time: Timestamp, volume: FilePath? = nil) -> Notice {
        let name: String
        let command: String
        switch subject {
        case .area(let root):
            name = root.displayText
            command = " See headroom scan \(root.shellText)"
        case .module(let id):
            name = "The module \(id)"
            command = ""
        }
        let hours = window.components.seconds / 3_600
        var text =
            "\(name) grew by \(growth) in \(hours == 1 ? "an hour" : "\(hours) hours"), to \(usage); "
            + "usually it grows by \(usual) at most in such a time."
        if !largest.isEmpty {
            let items = largest.map { "\($0.path.displayText) (\($0.bytes))" }
            text += " The largest that was written since: \(items.joined(separator: ", "))."
        }
        return Notice(
            time: time, kind: .anomaly, volume: volume, subject: subject.name,
            text: text + (command.isEmpty ? "" : command + "."),
            figures: [
                "growthBytes": growth.bytes, "usualBytes": usual.bytes, "usageBytes": usage.bytes,
                "windowSeconds": window.components.seconds,
            ])
    }
}
