//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlanning
public import HeadroomPlatform
import SystemPackage

/// The contract of a purgeable directory: how long it keeps things, and how much.
public struct DirectoryRules: Hashable, Sendable {
    /// How long content is kept; nil: until its limit is reached, space is needed, or a person or
    /// program empties it.
    public var retention: Duration?
    /// The allocated bytes at which it is trimmed; zero: no limit.
    public var limit: ByteCount
    /// What the retention is measured from.
    public var ageBasis: AgeBasis
    /// Which goes first when it is trimmed.
    public var order: AreaOrder
    /// What it is trimmed to, as a percentage of its limit: 0…100.
    public var trimPercent: Int
    public var unit: PurgeUnit

    public init(
        retention: Duration? = nil, limit: ByteCount = .zero, ageBasis: AgeBasis = .created,
        order: AreaOrder = .oldestCreated, trimPercent: Int = 50, unit: PurgeUnit = .file
    ) {
        self.retention = retention
        self.limit = limit
        self.ageBasis = ageBasis
        self.order = order
        self.trimPercent = trimPercent
        self.unit = unit
    }

    /// The rules that an area was registered with.
    public init(_ area: Area) {
        self.init(
            retention: area.retention, limit: area.limit ?? .zero, ageBasis: area.ageBasis,
            order: area.order, trimPercent: Int(area.trimPercent), unit: area.unit)
    }

    /// - Throws: `invalid`, with what would be right.
    func area(at root: FilePath, origin: String) throws(HeadroomError) -> Area {
        func refused(_ what: String) -> HeadroomError {
            HeadroomError(
                .invalid,
                "\(root.displayText) cannot be registered as a purgeable directory: \(what)")
        }
        if let retention, retention <= .zero {
            throw refused(
                "a retention of \(retention.inWords) keeps nothing. Give a time, or none for content "
                    + "that does not expire.")
        }
        guard limit >= .zero else {
            throw refused("\(limit) is no limit. Give an amount, or 0 for none.")
        }
        guard (0...100).contains(trimPercent) else {
            throw refused(
                "it cannot be trimmed to \(trimPercent) % of its limit. Give 0 to 100; 50 is usual."
            )
        }
        return Area(
            // mutation: r19b-1
            root: root, purgeClass: .cache, unit: unit, retention: retention, ageBasis: ageBasis,
            // mutation: r19c-1
            limit: limit > .zero ? limit : nil, trimPercent: UInt8(trimPercent), order: order,
            origin: origin)
    }
}
