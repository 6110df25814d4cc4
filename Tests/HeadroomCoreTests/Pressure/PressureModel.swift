//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform

/// What R23 says of a whole history of readings at once, worked out as simply as can be: every time from
/// the beginning, in whole numbers, for a volume of 1,000 bytes that warns below 100 and is critical
/// below 50.
struct PressureModel {
    struct Reading: Equatable {
        /// In seconds.
        var time: Int
        /// Nil: it did not answer.
        var available: Int?
        var isReadOnly = false
    }

    static var settings: PressureSettings {
        var settings = PressureSettings.ofSmallNumbers
        settings.dwell = .seconds(120)
        settings.rateWindow = .seconds(150)
        settings.shortestInterval = .seconds(1)
        return settings
    }
    static let thresholds = [PressureLevel.warning: 100, .critical: 50]
    static let leaving = [PressureLevel.warning: 125, .critical: 63]  // 62.5 rounded

    /// The level after the last of them.
    static func level(after readings: [Reading]) -> PressureLevel? {
        var level: PressureLevel?
        for end in readings.indices {
            let reading = readings[end]
            if reading.isReadOnly { level = nil }
            guard let available = reading.available else { continue }
            let shown: PressureLevel =
                available < 50 ? .critical : available < 100 ? .warning : .normal
            guard let before = level, shown < before else {
                level = shown
                continue
            }
            // The worst level, no better than what is shown, that has to be kept.
            let kept = [PressureLevel.critical, .warning].first {
                $0 <= before && $0 > shown
                    && stayed(above: leaving[$0] ?? 0, readings[...end]) < 120
            }
            level = kept ?? shown
        }
        return level
    }

    /// For how long, up to the end, as much was there at every reading; a minute at most for each pause,
    /// and nothing for those in which it did not answer.
    private static func stayed(above least: Int, _ readings: ArraySlice<Reading>) -> Int {
        var sum = 0
        var later: Reading?
        for reading in readings.reversed() {
            if reading.isReadOnly { break }
            guard let available = reading.available else {
                later = nil
                continue
            }
            if available < least { break }
            if let later { sum += min(60, later.time - reading.time) }
            later = reading
        }
        return sum
    }

    /// The longest that may pass before the next reading, in seconds.
    static func longestPause(after readings: [Reading]) -> Double {
        let longest: Double =
            switch level(after: readings) {
            case nil, .normal: 60
            case .warning: 10
            case .critical: 2
            }
        guard let last = readings.last, let available = last.available else { return longest }
        var fastest = 0.0
        for (earlier, later) in zip(readings, readings.dropFirst()) {
            guard let before = earlier.available, let after = later.available,
                later.time > earlier.time, later.time >= last.time - 150
            else { continue }
            fastest = max(fastest, Double(before - after) / Double(later.time - earlier.time))
        }
        // What was before it was mounted read-only is long ago.
        if let start = readings.lastIndex(where: \.isReadOnly) {
            return longestPause(after: Array(readings[(start + 1)...]))
        }
        guard fastest > 0 else { return longest }
        let next = available >= 100 ? 100 : available >= 50 ? 50 : 0
        return max(1, min(longest, Double(available - next) / fastest / 2))
    }
}

extension PressureReading {
    init(_ reading: PressureModel.Reading) {
        self.init(
            time: .seconds(reading.time),
            answer: reading.isReadOnly
                ? .withoutLevel(.readOnly)
                : reading.available.map {
                    .figures(.init(available: ByteCount(Int64($0)), total: ByteCount(1000)))
                } ?? .silent)
    }
}

extension PressureSettings {
    /// The usual ones, for volumes of a few bytes.
    static var ofSmallNumbers: PressureSettings {
        var settings = PressureSettings()
        settings.possibleRate = .zero
        settings.possibleInodeRate = 0
        return settings
    }
}
