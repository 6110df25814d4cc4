//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform
public import SystemPackage

/// Anything but a directory in an inventory: a file, a link, a FIFO, a socket, a device.
///
/// A number and a reference to the inventory, which it keeps alive: cheap to make and to pass on.
public struct InventoryItem: Sendable {
    package let inventory: Inventory
    package let number: UInt32

    private var record: ItemRecord { inventory.item(number) }

    // MARK: - Place

    /// - Complexity: O(depth).
    public var path: FilePath { inventory.path(ofItem: number) }

    public var name: FileName { inventory.name(ofItem: number).owned }

    public var directory: InventoryDirectory {
        InventoryDirectory(inventory: inventory, number: record.parent)
    }

    public var identity: FileIdentity { inventory.identity(ofItem: number) }

    // MARK: - What it is

    public var type: HeadroomPlatform.FileType { record.type }

    /// The bytes the file occupies, whichever of its names this is.
    public var allocated: ByteCount { ByteCount(record.allocated) }

    /// Its length; 0 for what is neither a regular file nor a symbolic link.
    public var logical: ByteCount { ByteCount(record.logical) }

    /// How many names the file has; saturates at 65,535.
    public var linkCount: Int { Int(record.linkCount) }

    /// Its bytes are in the sums of another of its names.
    public var isCountedElsewhere: Bool { record.flags.contains(.countedElsewhere) }

    /// It belongs to another user than the one who scanned.
    public var hasForeignOwner: Bool { record.flags.contains(.foreignOwner) }

    /// Immutable or append-only.
    public var isImmutable: Bool { record.flags.contains(.immutable) }

    /// How its content is protected now, if it is still there; needs no key. Blocks: reads its
    /// beginning.
    public func protection() -> Protection {
        type == .regular ? Protection.of(path) : .level(.none)
    }

    // MARK: - Times, in whole seconds

    public var modified: Timestamp { Timestamp(seconds: Int64(record.modified)) }
    public var accessed: Timestamp { Timestamp(seconds: Int64(record.accessed)) }
    /// Birth time; nil where the file system keeps none.
    public var created: Timestamp? { Timestamp(keptSeconds: record.created) }

    /// The latest of modified, created and, unless the volume is mounted noatime, accessed.
    ///
    /// What the ledger knows beyond that is not in an inventory.
    public var lastUse: Timestamp {
        let countsAccess = inventory.root(ofDirectory: record.parent).countsAccess
        return Timestamp(seconds: Int64(record.lastUse(countingAccess: countsAccess)))
    }

    // MARK: - Contract

    /// What its own mark and those of the directories around say.
    public var mark: Mark { inventory.mark(ofItem: number) }

    package init(inventory: Inventory, number: UInt32) {
        self.inventory = inventory
        self.number = number
    }

    /// Its own mark's class, that of the nearest directory with one, or its area's; essential
    /// outside of all areas.
    public var purgeClass: PurgeClass {
        guard let area = directory.area else { return .essential }
        return area.effectiveClass(mark)
    }

    /// It, or a directory around, is pinned or has a mark that cannot be read.
    public var isPinned: Bool {
        mark.isPinned == true || inventory.damagedItemMarks.contains(number)
            || inventory.directories[Int(record.parent)].flags.contains(.damagedMark)
    }
}

extension InventoryItem: Hashable {
    public static func == (left: InventoryItem, right: InventoryItem) -> Bool {
        left.number == right.number && left.inventory === right.inventory
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(inventory))
        hasher.combine(number)
    }
}
