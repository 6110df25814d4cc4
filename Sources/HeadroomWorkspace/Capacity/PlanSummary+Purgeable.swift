//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlanning
public import HeadroomPlatform

extension PlanSummary {
    /// What could go of the areas that are asked for, by class; of a plan of all, through last
    /// resort.
    ///
    /// - Parameters:
    ///   - isIncluded: whether an area lies on the volume in question.
    ///   - measured: when the inventory was made.
    public func purgeable(
        measured: Timestamp, where isIncluded: (Area) -> Bool
    ) -> VolumeCapacity.Purgeable {
        var purgeable = VolumeCapacity.Purgeable(
            temporary: .zero, cache: .zero, lastResort: .zero, expiredOrOverLimitCache: .zero,
            measured: measured)
        for part in areas where isIncluded(part.area) {
            switch part.purgeClass {
            case .temporary: purgeable.temporary += part.sum.bytes
            case .cache:
                purgeable.cache += part.sum.bytes
                purgeable.expiredOrOverLimitCache += part.sum.dueBytes
            case .lastResort: purgeable.lastResort += part.sum.bytes
            case .trash:
                // Goes as late as that, but for what has expired: optional may spend it.
                purgeable.lastResort += part.sum.bytes
                purgeable.expiredOrOverLimitCache += part.sum.dueBytes
            }
        }
        return purgeable
    }
}
