//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Finds repeated lines of the log, so that each is written once an hour, with a count. A value: it knows no
/// clock.
struct RepeatedLines {
    /// The latest line of a key.
    private struct Line {
        var text: String
        var written: Duration
        var repeats = 0
    }

    private var lines: [String: Line] = [:]

    /// How often a line is written that is repeated all the time.
    static let interval: Duration = .seconds(3_600)
    /// At most so many keys are kept: a line under a new one is written then, and an old one is forgotten.
    static let limit = 500

    /// Takes a line.
    ///
    /// - Parameters:
    ///   - key: the subject of the line.
    ///   - text: the content, without figures that differ each time.
    /// - Returns: how often the line before was repeated without being written; nil if this line is a
    ///   repetition, too.
    mutating func take(_ key: String, _ text: String, at uptime: Duration) -> Int? {
        if var line = lines[key] {
            // mutation: r24e-4
            if line.text == text, uptime - line.written < Self.interval {
                line.repeats += 1
                lines[key] = line
                return nil
            }
            lines[key] = Line(text: text, written: uptime)
            return line.repeats
        }
        if lines.count >= Self.limit,
            let oldest = lines.min(by: { $0.value.written < $1.value.written })
        {
            lines[oldest.key] = nil
        }
        lines[key] = Line(text: text, written: uptime)
        return 0
    }
}
