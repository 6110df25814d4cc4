//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What tells one version of a resource from another: without it a download cannot go on from where
/// it stands.
package enum ResourceVersion: Hashable, Sendable {
    /// A strong entity tag, with its quotes. Weak ones do not promise the same bytes.
    case entityTag(String)
    /// The date of the last modification, as the server writes it.
    case modified(String)

    /// The longest that is kept.
    package static let maximumLength = 512

    /// The value of `If-Range`.
    package var condition: String {
        switch self {
        case .entityTag(let value), .modified(let value): value
        }
    }

    /// What the headers of a response tell; nil: nothing that could be relied upon.
    ///
    /// - Parameters:
    ///   - date: when the server made the response. A date of modification is strong only if it is
    ///     well before (RFC 9110, 8.8.2.2): within a second a file can change twice.
    package init?(entityTag: String?, modified: String?, date: String?) {
        if let entityTag {
            // A tag that is there and not strong says that the bytes may differ.
            guard Self.isStrong(entityTag) else { return nil }
            self = .entityTag(entityTag)
        } else if let modified, let changed = HTTPDate(modified), let date,
            let now = HTTPDate(date),
            now.seconds - changed.seconds >= 60
        {
            self = .modified(modified)
        } else {
            return nil
        }
    }

    private static func isStrong(_ tag: String) -> Bool {
        let bytes = Array(tag.utf8)
        return bytes.count >= 2 && bytes.count <= maximumLength && bytes.first == UInt8(ascii: "\"")
            && bytes.last == UInt8(ascii: "\"")
            && bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
    }
}

/// A time as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
struct HTTPDate: Hashable {
    /// Since the year 0 of a calendar with months of 31 days: only differences of dates that are
    /// months apart are wrong, and they are large all the same.
    let seconds: Int

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), (1...31) ~= day,
            let month = Self.months.firstIndex(of: String(parts[2])), let year = Int(parts[3]),
            (0...9999) ~= year
        else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, (0...23) ~= clock[0], (0...59) ~= clock[1], (0...60) ~= clock[2]
        else { return nil }
        seconds =
            (((year * 12 + month) * 31 + day) * 24 + clock[0]) * 3600 + clock[1] * 60
            + clock[2]
    }
}
