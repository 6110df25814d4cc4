//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform

/// What a plan is to reach. Of several, all must hold when it is done.
public enum Target: Hashable, Sendable {
    /// Free this many bytes.
    case free(ByteCount)
    /// Free so much that this many bytes are available on the volume.
    case available(ByteCount)
    /// Free so much that this share of the volume is available, in hundredths of a percent.
    case availableShare(basisPoints: Int)
    /// Free so much that the volume's pressure level is normal.
    case normalLevel
    /// Shrink each area that was named to this size.
    case toLimit(ByteCount)
    /// Shrink each area to its own limit.
    case overLimit
    /// Everything that is older than its area keeps things.
    case expired
    /// Everything of at least this age.
    case olderThan(Duration, by: AgeBasis)
    /// Free this many inodes.
    case inodes(Int)
    /// Everything that may go.
    case all

    /// The target as a person would say it: `free 5 GB`, `older than 10 days`.
    public var description: String {
        switch self {
        case .free(let bytes): "free \(bytes)"
        case .available(let bytes): "until \(bytes) are available"
        case .availableShare(let points): "until \(Self.percent(points)) % are available"
        case .normalLevel: "until the level is normal"
        case .toLimit(let bytes): "shrink to \(bytes)"
        case .overLimit: "shrink what is over its limit"
        case .expired: "everything expired"
        case .olderThan(let age, let basis):
            switch basis {
            case .used: "unused for \(age.inWords)"
            case .modified: "not modified for \(age.inWords)"
            case .created: "created \(age.inWords) ago or earlier"
            }
        case .inodes(let count): "free \(count) inodes"
        case .all: "everything that may go"
        }
    }

    private static func percent(_ basisPoints: Int) -> String {
        basisPoints % 100 == 0
            ? "\(basisPoints / 100)"
            : "\(basisPoints / 100).\(basisPoints % 100 < 10 ? "0" : "")\(basisPoints % 100)"
    }
}

extension Duration {
    /// The duration in one or two words, rounded down: `5 months`, `36 hours`, `3 weeks`.
    public var inWords: String {
        let seconds = max(0, components.seconds)
        let units: [(Int64, String)] = [
            (365 * 86400, "year"), (30 * 86400, "month"), (7 * 86400, "week"), (86400, "day"),
            (3600, "hour"), (60, "minute"), (1, "second"),
        ]
        // Two of a unit say more than one of the next: "14 days" rather than "2 weeks" is left to
        // the reader, "1 month" for 45 days is not.
        for (length, name) in units where seconds >= 2 * length {
            return "\(seconds / length) \(name)s"
        }
        return seconds == 1 ? "1 second" : "0 seconds"
    }
}
