//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// How short of space a volume is.
public enum PressureLevel: UInt8, Hashable, Comparable, Sendable, CaseIterable {
    case normal
    case warning
    case critical

    public static func < (left: PressureLevel, right: PressureLevel) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The level that begins at the next threshold; of the worst, itself.
    var worse: PressureLevel { PressureLevel(rawValue: rawValue + 1) ?? self }

    /// The name in JSON and messages: `normal`, `warning`, `critical`.
    public var name: String {
        switch self {
        case .normal: "normal"
        case .warning: "warning"
        case .critical: "critical"
        }
    }
}
