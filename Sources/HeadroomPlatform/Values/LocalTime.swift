//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Times as clocks on the wall show them: `2026-11-21T09:30:00`, in the time zone of this process.
package enum LocalTime {
    /// The text of a time, in whole seconds; nil for one that the calendar does not reach.
    package static func text(_ time: Timestamp) -> String? {
        var seconds = time_t(time.seconds)
        var parts = unsafe tm()
        let converted: Bool = unsafe localtime_r(&seconds, &parts) != nil
        guard converted else { return nil }
        let date = unsafe [parts.tm_mon + 1, parts.tm_mday].map { $0.padded(to: 2) }
        let time = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0.padded(to: 2) }
        let year = unsafe (parts.tm_year + 1900).padded(to: 4)
        return "\(year)-\(date.joined(separator: "-"))T\(time.joined(separator: ":"))"
    }

    /// The minutes that the clock on the wall shows after midnight; nil for a time that the calendar does
    /// not reach.
    package static func minuteOfDay(_ time: Timestamp) -> Int? {
        var seconds = time_t(time.seconds)
        var parts = unsafe tm()
        let converted: Bool = unsafe localtime_r(&seconds, &parts) != nil
        return converted ? unsafe Int(parts.tm_hour) * 60 + Int(parts.tm_min) : nil
    }

    /// The time of a text. What stands behind the seconds (a fraction, a zone) is not looked at; an
    /// hour that the clocks skip is the one after it.
    package static func parse(_ text: Substring.UTF8View) -> Timestamp? {
        let bytes = Array(text.prefix(19))
        guard bytes.count == 19 else { return nil }
        func number(_ range: Range<Int>) -> Int32? {
            var value: Int32 = 0
            for byte in bytes[range] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int32(byte - 0x30)
            }
            return value
        }
        let separators: [(Int, UInt8)] = [(4, 0x2D), (7, 0x2D), (10, 0x54), (13, 0x3A), (16, 0x3A)]
        guard separators.allSatisfy({ bytes[$0.0] == $0.1 }),
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16),
            let second = number(17..<19), (1...12).contains(month), (1...31).contains(day),
            hour < 24, minute < 60, second < 61
        else { return nil }
        var parts = unsafe tm()
        unsafe parts.tm_year = year - 1900
        unsafe parts.tm_mon = month - 1
        unsafe parts.tm_mday = day
        unsafe parts.tm_hour = hour
        unsafe parts.tm_min = minute
        unsafe parts.tm_sec = second
        unsafe parts.tm_isdst = -1
        let seconds = unsafe mktime(&parts)
        // −1 is also the last second of 1969, when nothing was trashed.
        return seconds == -1 ? nil : Timestamp(seconds: Int64(seconds))
    }
}
