//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

/// A range of every day, by the clock on the wall, in which what can wait does.
///
/// It may go over midnight: 22:00 to 7:00. The end is not part of it; where both are the same, it is the
/// whole day.
public struct QuietHours: Hashable, Sendable {
    /// Minutes after midnight, local time: 0…1439.
    public var start: Int
    /// Minutes after midnight, local time: 0…1440, the last being the midnight at the end of the day.
    public var end: Int

    /// - Parameters:
    ///   - start: in minutes after midnight.
    ///   - end: in minutes after midnight.
    public init(start: Int, end: Int) {
        self.start = start
        self.end = end
    }

    /// The range of two times as people write them, `22:00` and `7:00`.
    ///
    /// - Returns: nil if one of them is no time of day; `24:00` is one at the end.
    public init?(from start: some StringProtocol, to end: some StringProtocol) {
        guard let start = Self.minutes(start), let end = Self.minutes(end), start < Self.day else {
            return nil
        }
        self.init(start: start, end: end)
    }

    /// Whether a minute of the day lies in it.
    public func contains(minute: Int) -> Bool {
        if start == end % Self.day { return true }
        return start < end
            // mutation: r25d-1
            ? minute >= start && minute < end : minute >= start || minute < end
    }

    /// The minutes from one within to the end of the range; nil of one outside of it, and where it is the
    /// whole day and never ends.
    public func minutesLeft(at minute: Int) -> Int? {
        guard contains(minute: minute), start != end % Self.day else { return nil }
        let left = end - minute
        return left > 0 ? left : left + Self.day
    }

    /// What the clock on the wall shows at a time, in the time zone of this process: what ranges are
    /// compared with.
    ///
    /// - Returns: nil for a time that the calendar does not reach.
    public static func minute(of time: Timestamp) -> Int? { LocalTime.minuteOfDay(time) }

    /// Whether both are times of a day.
    var isValid: Bool { (0..<Self.day).contains(start) && (0...Self.day).contains(end) }

    private static let day = 24 * 60

    private static func minutes(_ text: some StringProtocol) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let isTime = parts.count == 2 && (1...2).contains(parts[0].count) && parts[1].count == 2
        guard isTime, parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let hours = Int(parts[0]), let minutes = Int(parts[1]), minutes < 60,
            hours * 60 + minutes <= day
        else { return nil }
        return hours * 60 + minutes
    }
}

extension QuietHours: CustomStringConvertible {
    /// `22:00–07:00`.
    public var description: String { "\(Self.text(start))–\(Self.text(end))" }

    private static func text(_ minutes: Int) -> String {
        [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + String($0) }
            .joined(separator: ":")
    }
}
