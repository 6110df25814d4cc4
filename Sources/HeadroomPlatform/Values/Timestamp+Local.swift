//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension Timestamp {
    /// Reads a time as people write it, in the time zone of this process: a day, `2026-11-20`, which begins
    /// at midnight, or with a time, `2026-11-20 09:30` or `2026-11-20T09:30:15`.
    ///
    /// - Returns: nil for what is no such text, and for days that no calendar has.
    public init?(local text: String) {
        var full = text
        if full.utf8.count == 10 { full += "T00:00:00" }
        if full.utf8.count == 16 { full += ":00" }
        guard full.utf8.count == 19 else { return nil }
        full = String(full.map { $0 == " " ? "T" : $0 })
        // The 30th of February would be one of March.
        guard let time = LocalTime.parse(full[...].utf8),
            let text = LocalTime.text(time), text.prefix(10) == full.prefix(10)
        else { return nil }
        self = time
    }

    /// The time as the clock on the wall shows it, `2026-11-20 09:30`; nil for one that the calendar does not
    /// reach.
    public var localDescription: String? {
        LocalTime.text(self).map { $0.prefix(16).replacing("T", with: " ") }.map { String($0) }
    }
}
