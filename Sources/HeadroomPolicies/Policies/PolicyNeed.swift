//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlanning
import HeadroomPlatform

/// What a volume lacks of bytes or inodes: what there is, what there is to be, and how much a purge frees
/// at least.
public struct PolicyNeed: Hashable, Sendable {
    /// What may be short.
    public enum Resource: String, Hashable, Sendable, CaseIterable {
        case bytes
        case inodes
    }

    public var resource: Resource
    /// The level whose threshold was crossed; normal: none yet, it is ahead of time.
    public var level: PressureLevel
    /// In bytes or inodes, as all amounts here.
    public var available: Int64
    /// What is to be available afterwards.
    public var target: Int64
    /// What a purge frees at least, even where less is missing.
    public var minimum: Int64

    public init(
        _ resource: Resource, at level: PressureLevel, available: Int64, target: Int64,
        minimum: Int64
    ) {
        self.resource = resource
        self.level = level
        self.available = available
        self.target = target
        self.minimum = minimum
    }

    /// What is missing to the target.
    public var shortage: Int64 {
        let (difference, overflows) = target.subtractingReportingOverflow(available)
        return overflows ? .max : max(0, difference)
    }

    /// What is to be freed; nothing if nothing is missing.
    public var wanted: Int64 { shortage == 0 ? 0 : max(shortage, minimum) }

    /// Whether so much is worth being spent: it is at least this share of what is missing.
    public func isHelped(by eligible: Int64, share: Double) -> Bool {
        Double(eligible) >= share * Double(shortage)
    }

    /// The same need as it is now.
    ///
    /// - Returns: nil if nothing is missing any more.
    func updated(available: Int64) -> PolicyNeed? {
        var need = self
        need.available = available
        return need.shortage > 0 ? need : nil
    }

    /// An amount for people: `1.2 GB`, `400 inodes`.
    public func text(_ amount: Int64) -> String {
        switch resource {
        case .bytes: "\(ByteCount(amount))"
        case .inodes: amount == 1 ? "1 inode" : "\(amount) inodes"
        }
    }

    /// What a plan is asked for.
    var planTarget: Target {
        switch resource {
        case .bytes: .free(ByteCount(wanted))
        case .inodes: .inodes(Int(wanted))
        }
    }
}
