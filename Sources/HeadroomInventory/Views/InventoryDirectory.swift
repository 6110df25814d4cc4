//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform
public import SystemPackage

/// A directory in an inventory.
///
/// A number and a reference to the inventory, which it keeps alive: cheap to make and to pass on.
public struct InventoryDirectory: Sendable {
    package let inventory: Inventory
    package let number: UInt32

    private var record: DirectoryRecord { inventory.directories[Int(number)] }

    // MARK: - Place

    /// - Complexity: O(depth).
    public var path: FilePath { inventory.path(ofDirectory: number) }

    /// Its name; of a root, the last component of its path, nil for `/`.
    public var name: FileName? {
        record.parent == DirectoryRecord.none
            ? inventory.root(ofDirectory: number).path.names.last : record.name
    }

    /// The directory around; nil for a root.
    public var parent: InventoryDirectory? {
        record.parent == DirectoryRecord.none
            ? nil : InventoryDirectory(inventory: inventory, number: record.parent)
    }

    // MARK: - Sizes and times

    /// The bytes that the directory itself occupies.
    public var allocated: ByteCount { ByteCount(record.allocated) }

    /// The sums over everything below, ``allocated`` included.
    public var totals: TreeTotals { record.totals }

    /// When an entry was last added, removed or renamed; in whole seconds.
    public var modified: Timestamp { Timestamp(seconds: Int64(record.modified)) }

    /// Birth time in whole seconds; nil where the file system keeps none.
    public var created: Timestamp? { Timestamp(keptSeconds: record.created) }

    /// The number of the user it belongs to.
    public var owner: UInt32 { record.owner }

    public var identity: FileIdentity { record.identity }

    // MARK: - Contract

    /// The nearest area at or above it.
    public var area: Area? {
        record.area == DirectoryRecord.noArea ? nil : inventory.areas[Int(record.area)]
    }

    /// What marks say of it, those of directories around included.
    public var mark: Mark { record.mark.mark }

    /// The class its files have unless they carry a mark; essential outside of all areas.
    public var purgeClass: PurgeClass { inventory.purgeClass(of: record) }

    /// It, or something above, is pinned or has a mark that cannot be read.
    public var isPinned: Bool {
        record.mark.mark.isPinned == true || record.flags.contains(.damagedMark)
    }

    // MARK: - Flags

    public var isRoot: Bool { record.parent == DirectoryRecord.none }
    /// An area starts here.
    public var isAreaRoot: Bool { record.flags.contains(.areaRoot) }
    /// It could not be opened, or not read to its end.
    public var isUnreadable: Bool { record.flags.contains(.unreadable) }
    /// An entry of it could not be examined; see ``unreadableEntries``.
    public var hasUnreadableEntries: Bool { record.flags.contains(.hasUnreadable) }
    /// Something in it lies on another file system and was left out; see ``otherFileSystems``.
    public var hasOtherFileSystems: Bool { record.flags.contains(.hasMounts) }
    /// Left over, or below something left over, from a purge that was cut off.
    public var isReserved: Bool { record.flags.contains(.reserved) }
    /// Everybody may write, only owners may delete.
    public var isSticky: Bool { record.flags.contains(.sticky) }

    /// The names in it that lie on other file systems.
    ///
    /// - Complexity: O(all omissions of the inventory) where there are any.
    public var otherFileSystems: [FileName] {
        hasOtherFileSystems ? omitted { $0.isMount } : []
    }

    /// The names in it whose status could not be had.
    ///
    /// - Complexity: O(all omissions of the inventory) where there are any.
    public var unreadableEntries: [FileName] {
        hasUnreadableEntries ? omitted { !$0.isMount } : []
    }

    private func omitted(_ isWanted: (Inventory.Omission) -> Bool) -> [FileName] {
        inventory.omissions.filter { $0.directory == number && isWanted($0) }.map(\.name)
    }

    // MARK: - Contents

    /// The directories directly in it, in no particular order.
    public var children: Children { Children(inventory: inventory, parent: record) }

    /// What is directly in it and no directory, in no particular order.
    public var items: Items { Items(inventory: inventory, firstRun: record.firstRun) }

    package init(inventory: Inventory, number: UInt32) {
        self.inventory = inventory
        self.number = number
    }

    /// The child directories of a directory.
    public struct Children: Sequence, IteratorProtocol, Sendable {
        private let inventory: Inventory
        private var current: UInt32

        init(inventory: Inventory, parent: DirectoryRecord) {
            self.inventory = inventory
            current = parent.firstChild
        }

        public mutating func next() -> InventoryDirectory? {
            guard current != DirectoryRecord.none else { return nil }
            defer { current = inventory.directories[Int(current)].nextSibling }
            return InventoryDirectory(inventory: inventory, number: current)
        }
    }

    /// The items of a directory.
    public struct Items: Sequence, IteratorProtocol, Sendable {
        private let inventory: Inventory
        private var run: UInt32
        private var offset: UInt32 = 0

        init(inventory: Inventory, firstRun: UInt32) {
            self.inventory = inventory
            run = firstRun
        }

        public mutating func next() -> InventoryItem? {
            while run != DirectoryRecord.none {
                let span = inventory.runs[Int(run)]
                if offset < span.count {
                    defer { offset += 1 }
                    return InventoryItem(inventory: inventory, number: span.firstItem + offset)
                }
                run = span.next
                offset = 0
            }
            return nil
        }
    }
}

extension InventoryDirectory: Hashable {
    public static func == (left: InventoryDirectory, right: InventoryDirectory) -> Bool {
        left.number == right.number && left.inventory === right.inventory
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(inventory))
        hasher.combine(number)
    }
}

extension Timestamp {
    /// A time kept in whole seconds, where 0 stands for none.
    init?(keptSeconds: UInt32) {
        guard keptSeconds != 0 else { return nil }
        self.init(seconds: Int64(keptSeconds))
    }
}
