//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine

/// Something that may go.
struct ModelItem {
    /// Of a database the main file.
    var path: String
    var unit: PlanEntry.Unit
    /// All names that go with it, its own first.
    var members: [String]
    /// The path of its area.
    var area: String
    var purgeClass: PurgeableClass
    var times: ModelTimes
    var inode: UInt64
    var key: ModelKey
    /// What it occupies.
    var size: Int64 = 0
    /// What it is known to free by itself.
    var bytes: Int64 = 0
    var inodes = 0
    /// The number of the file of which all names may go; nil: it has but this.
    var group: Int?
    /// The times that hold for each name of the group.
    var groupTimes: [ModelTimes] = []
    /// Another name of the file stays.
    var isLinkedElsewhere = false
    var isExpired: Bool

    init(
        path: String, unit: PlanEntry.Unit, members: [String], area: String,
        purgeClass: PurgeableClass, times: ModelTimes, inode: UInt64, key: ModelKey
    ) {
        self.path = path
        self.unit = unit
        self.members = members
        self.area = area
        self.purgeClass = purgeClass
        self.times = times
        self.inode = inode
        self.key = key
        isExpired = key.isExpired
    }
}

/// The purge order of the specification (R15) up to the size.
struct ModelKey: Hashable, Comparable {
    var purgeClass: PurgeableClass
    var isExpired: Bool
    var isOverLimit: Bool
    var importance: UInt8
    /// Last use, or creation where the area says so.
    var time: Int64

    static func < (left: ModelKey, right: ModelKey) -> Bool {
        if left.purgeClass != right.purgeClass { return left.purgeClass < right.purgeClass }
        if left.isExpired != right.isExpired { return left.isExpired }
        if left.isOverLimit != right.isOverLimit { return left.isOverLimit }
        if left.importance != right.importance { return left.importance < right.importance }
        return left.time < right.time
    }
}

extension ModelItem {
    /// What goes with the last of its names.
    private var freed: Int64 { isLinkedElsewhere ? 0 : size }

    /// Larger first; of what is alike in all, what frees something, then by inode number, and names of
    /// one file by their paths (Documentation/Design/0002-planning-order.md).
    ///
    /// A total order: the same tree gives the same plan.
    static func goesBefore(_ left: ModelItem, _ right: ModelItem) -> Bool {
        if left.key != right.key { return left.key < right.key }
        if left.size != right.size { return left.size > right.size }
        if left.freed != right.freed { return left.freed > right.freed }
        if left.inode != right.inode { return left.inode < right.inode }
        return left.path.split(separator: "/").lexicographicallyPrecedes(
            right.path.split(separator: "/")
        ) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
