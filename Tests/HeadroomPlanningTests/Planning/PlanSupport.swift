//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage

typealias Fixture = InMemoryTree

extension Duration {
    static func days(_ count: Int64) -> Duration { .seconds(count * 86_400) }
}

extension Inventory {
    func plan(
        _ targets: Target..., through: PurgeableClass = .lastResort,
        volume: PlanRequest.VolumeState? = nil
    ) -> Plan {
        Planner.plan(
            self,
            PlanRequest(
                targets: targets, through: through, now: Fixture.now, volume: volume,
                user: Fixture.user))
    }
}

extension Plan {
    /// The paths below the fixture's root, in order.
    var paths: [String] {
        map { String($0.path.string.dropFirst(Fixture.root.count + 1)) }
    }

    /// The paths of what is not a directory that is left empty.
    var itemPaths: [String] {
        filter { $0.unit != .emptyDirectory }
            .map { String($0.path.string.dropFirst(Fixture.root.count + 1)) }
    }

    func kept(_ code: Reason.Code) -> Int { kept.byReason[code]?.count ?? 0 }
}

extension PlanRequest.VolumeState {
    static func fixture(total: Int64, available: Int64, normalFrom: Int64 = 0) -> Self {
        Self(
            device: Fixture.device, total: ByteCount(total), available: ByteCount(available),
            normalFrom: ByteCount(normalFrom))
    }
}
