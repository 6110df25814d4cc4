//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The age field of a `tmpfiles.d` line: `10d`, `~1w`, `mM:36h`.
public struct TmpfilesAge: Hashable, Sendable {
    /// Nil: `infinity`.
    public var duration: Duration?
    /// With `~`: what lies directly in the directory stays.
    public var keepsFirstLevel = false
    /// The letters of the times that count for files; all four if none were given.
    public var fileTimes: Set<Time> = [.accessed, .born, .changed, .modified]
    /// The letters for directories; all but the change if none were given.
    public var directoryTimes: Set<Time> = [.accessed, .born, .modified]

    /// A time of a file.
    public enum Time: Character, Hashable, Sendable, CaseIterable {
        case accessed = "a"
        case born = "b"
        case changed = "c"
        case modified = "m"
    }

    /// - Returns: nil if it is no age.
    public init?(_ text: String) {
        var rest = text[...]
        if rest.first == "~" {
            keepsFirstLevel = true
            rest.removeFirst()
        }
        if let colon = rest.firstIndex(of: ":") {
            let letters = rest[..<colon]
            guard !letters.isEmpty else { return nil }
            fileTimes = []
            directoryTimes = []
            for letter in letters {
                guard let time = Time(rawValue: Character(letter.lowercased())) else { return nil }
                if letter.isUppercase {
                    directoryTimes.insert(time)
                } else {
                    fileTimes.insert(time)
                }
            }
            rest = rest[rest.index(after: colon)...]
        }
        guard let duration = Self.duration(rest) else { return nil }
        self.duration = duration
    }

    /// A span of time as systemd.time(7) has it.
    ///
    /// - Returns: nil if it is none; nil in it for `infinity`.
    private static func duration(_ text: Substring) -> Duration?? {
        var rest = text.drop { $0 == " " || $0 == "\t" }
        if rest == "infinity" { return .some(nil) }
        guard !rest.isEmpty else { return .none }
        var sum = Duration.zero
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard !digits.isEmpty, let number = decimal(digits) else { return .none }
            rest = rest.dropFirst(digits.count).drop { $0 == " " || $0 == "\t" }
            let name = rest.prefix { $0.isLetter || $0 == "µ" || $0 == "μ" }
            guard let unit = units[name.isEmpty ? "s" : String(name)] else { return .none }
            rest = rest.dropFirst(name.count).drop { $0 == " " || $0 == "\t" }
            let (whole, overflow) = number.whole.multipliedReportingOverflow(by: unit)
            guard !overflow, whole < Int64.max / 2 else { return .none }
            let micros = whole + Int64(number.fraction * Double(unit))
            sum += .microseconds(micros)
        }
        return sum
    }

    private static func decimal(_ text: Substring) -> (whole: Int64, fraction: Double)? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = Int64(parts[0]) else { return nil }
        guard parts.count == 2 else { return (whole, 0) }
        guard let fraction = Double("0." + parts[1]) else { return nil }
        return (whole, fraction)
    }

    /// In microseconds.
    private static let units: [String: Int64] = {
        let second: Int64 = 1_000_000
        let named: [([String], Int64)] = [
            (["usec", "us", "µs", "μs"], 1), (["msec", "ms"], 1000),
            (["seconds", "second", "sec", "s"], second),
            (["minutes", "minute", "min", "m"], 60 * second),
            (["hours", "hour", "hr", "h"], 3600 * second),
            (["days", "day", "d"], 86400 * second), (["weeks", "week", "w"], 604_800 * second),
            // 30.44 and 365.25 days
            (["months", "month", "M"], 2_629_800 * second),
            (["years", "year", "y"], 31_557_600 * second),
        ]
        var units: [String: Int64] = [:]
        for (names, length) in named { for name in names { units[name] = length } }
        return units
    }()
}
