//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomInventory
public import HeadroomPlanning
public import HeadroomPlatform
public import SystemPackage

/// What there was when a policy looked at the areas of a volume: for who keeps figures of it, and does
/// not want to look once more.
///
/// It keeps the inventory alive: take the ``survey(recentWithin:items:)``, and let it go.
public struct PolicyLook: Sendable {
    /// Where the volume is mounted; nil: it was about all of them.
    public let volume: FilePath?
    /// Directories and areas, those in their grace as what protects them.
    public let scope: Scope
    public let inventory: Inventory
    /// How long it took to look.
    public let duration: Duration

    package init(
        volume: FilePath?, scope: Scope, inventory: Inventory, duration: Duration
    ) {
        self.volume = volume
        self.scope = scope
        self.inventory = inventory
        self.duration = duration
    }

    /// Sums up what areas occupy, and what of it may go. Blocks.
    ///
    /// - Parameters:
    ///   - spans: of each area, the largest items are named that were written within each of these
    ///     times before the look.
    ///   - count: how many of them, for each area and time.
    /// - Complexity: as that of a plan for everything that may go, and O(items).
    public func survey(
        recentWithin spans: [Duration] = [], items count: Int = 0
    ) throws(HeadroomError) -> AreaSurvey {
        let plan = try scope.plan(inventory, targets: [.all], through: .lastResort)
        var survey = AreaSurvey(volume: volume, time: inventory.scanned)
        survey.areas = inventory.figures(recentWithin: spans, items: count)
        let indexes = Dictionary(
            survey.areas.enumerated().map { ($1.root, $0) }, uniquingKeysWith: { $1 })
        for part in plan.summary(depth: 0).areas {
            survey.purgeable[part.purgeClass, default: .zero] += part.sum.bytes
            if let index = indexes[part.area.root] {
                survey.areas[index].purgeable += part.sum.bytes
            }
        }
        for index in survey.areas.indices {
            // What is in its grace is no other class for that.
            let declared = scope.withheldClasses[survey.areas[index].root]
            if let declared { survey.areas[index].purgeClass = declared }
        }
        survey.stores = inventory.storeFigures
        survey.leasedItems = inventory.leasedItemCount(LockTable.read())
        return survey
    }
}

/// What areas occupied when they were looked at.
public struct AreaSurvey: Hashable, Sendable {
    /// Where their volume is mounted; nil: they lie on several.
    public var volume: FilePath?
    /// When it was begun to look.
    public var time: Timestamp
    /// In the order of their paths.
    public var areas: [AreaFigures] = []
    /// What may go, trash included, whatever is over its limit or expired.
    public var purgeable: [PlannedClass: ByteCount] = [:]
    public var stores: [CacheStoreFigures] = []
    /// Files and directories of them that were under a lease, as far as the system shows.
    public var leasedItems = 0

    public init(volume: FilePath?, time: Timestamp) {
        self.volume = volume
        self.time = time
    }
}
