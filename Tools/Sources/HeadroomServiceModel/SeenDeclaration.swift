//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform

/// What a declaration said when it was last seen, and since when it lets as much go as it does.
struct SeenDeclaration: Hashable, Sendable, Codable {
    /// In seconds since 1970.
    var since: Int64
    private var purgeClass: String
    private var unit: UInt8
    /// In seconds.
    private var retention: Int64?
    private var ageBasis: UInt8
    private var limit: Int64?
    private var trimPercent: UInt8

    init(_ area: Area, since: Int64) {
        self.since = since
        purgeClass = area.purgeClass.name
        unit = area.unit.rawValue
        retention = area.retention?.components.seconds
        ageBasis = area.ageBasis.rawValue
        limit = area.limit?.bytes
        trimPercent = area.trimPercent
    }

    /// Whether something may go by it that stays by another, whatever that lets go beside.
    ///
    /// Order and importance say what goes first, and not how much.
    func letsMoreGo(than other: SeenDeclaration) -> Bool {
        guard let own = PurgeClass(name: purgeClass), own != .essential else { return false }
        guard let before = PurgeClass(name: other.purgeClass), own >= before, unit == other.unit
        else { return true }
        return expiresMore(than: other) || shrinksMore(than: other)
    }

    private func expiresMore(than other: SeenDeclaration) -> Bool {
        guard let retention else { return false }
        guard let before = other.retention, retention >= before else { return true }
        // By its use nothing is older than by anything else.
        return ageBasis != other.ageBasis && ageBasis != AgeBasis.used.rawValue
    }

    private func shrinksMore(than other: SeenDeclaration) -> Bool {
        guard let limit else { return false }
        guard let before = other.limit, limit >= before else { return true }
        return Double(limit) * Double(trimPercent) < Double(before) * Double(other.trimPercent)
    }
}
