//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
import SystemPackage

/// Collects a person's largest files by what they hold.
struct UserFileSurvey {
    /// Smaller ones nobody would choose one by one.
    static let smallest = ByteCount.kilobytes(100)
    /// How many of each directory are looked into.
    static let mostPerDirectory = 500

    /// What may be purged is no file of a person's own.
    let areas: [Area]
    private var found: [CleaningSection: [Cleanable]] = [:]

    init(areas: [Area]) {
        self.areas = areas
    }

    /// Adds the largest files of an inventory. Their beginnings are read, to know what they are.
    mutating func add(_ inventory: Inventory, _ calls: any FileSystemCalls) {
        let largest = inventory.largestItems(Self.mostPerDirectory) { item in
            item.type == .regular && item.allocated >= Self.smallest
                && item.purgeClass == .essential && !item.isPinned && !Self.isHidden(item)
                // Deleting one of several hard links frees nothing.
                && item.linkCount < 2
        }
        let evidence = EvidenceReader(NativeCalls.make()).read(
            largest.map(\.number), of: inventory)
        for item in largest {
            let kind = FileKind(content: evidence[item.number]?.content, name: item.name)
            add(
                item.path, kind, item.allocated, item.lastUse)
        }
    }

    /// Adds a file that stands alone.
    mutating func add(_ path: FilePath, _ status: FileStatus) {
        guard status.allocatedSize >= Self.smallest, status.linkCount < 2,
            let name = path.lastComponent
        else { return }
        let kind = FileKind(name: FilePath(root: nil, [name]).bytes)
        add(path, kind, status.allocatedSize, max(status.modified, status.accessed))
    }

    private mutating func add(
        _ path: FilePath, _ kind: FileKind, _ allocated: ByteCount, _ lastUse: Timestamp
    ) {
        let section = CleaningSection(kind)
        found[section, default: []].append(
            Cleanable(
                id: path.displayText, section: section,
                name: path.lastComponent.map { FilePath(root: nil, [$0]).displayText } ?? "",
                path: path, note: path.removingLastComponent().displayText, allocated: allocated,
                fileCount: 1, lastUse: lastUse, action: .dispose))
    }

    /// Whether a directory on the way to it has a name that begins with a dot: programs keep their
    /// own there.
    private static func isHidden(_ item: InventoryItem) -> Bool {
        var directory: InventoryDirectory? = item.directory
        while let current = directory {
            if current.name?.bytes.first == UInt8(ascii: ".") { return true }
            directory = current.parent
        }
        return false
    }

    func updates(isComplete: Bool) -> [CleaningUpdate] {
        CleaningSection.all.compactMap { section in
            guard case .userFiles = section else { return nil }
            return CleaningUpdate(
                section: section, items: found[section] ?? [], isComplete: isComplete)
        }
    }

    /// The direct children of a directory of downloads, whole. They are moved to the trash: a person
    /// chose to download them.
    ///
    /// - Parameter hasTrash: without a trash, files that can be downloaded again are purged.
    static func entries(of directory: InventoryDirectory, hasTrash: Bool) -> [Cleanable] {
        var entries: [Cleanable] = []
        for child in directory.children where !child.isPinned && !child.isReserved {
            let freed = child.freed
            // Everything in it has hard links elsewhere.
            if freed == .zero, child.totals.allocated > 0 { continue }
            entries.append(
                download(
                    child.path, child.purgeClass, freed, child.totals.files,
                    Timestamp(seconds: Int64(child.totals.newest)), hasTrash: hasTrash))
        }
        for item in directory.items where !item.isPinned && item.linkCount < 2 {
            entries.append(
                download(
                    item.path, item.purgeClass, item.allocated, 1, item.lastUse,
                    hasTrash: hasTrash))
        }
        return entries
    }

    static func download(
        _ path: FilePath, _ purgeClass: PurgeClass, _ allocated: ByteCount, _ files: Int,
        _ lastUse: Timestamp, hasTrash: Bool
    ) -> Cleanable {
        let note =
            switch purgeClass {
            case .essential: path.removingLastComponent().displayText
            case .lastResort: "last resort"
            default: "can be loaded again"
            }
        return Cleanable(
            id: path.displayText, section: .downloads,
            name: path.lastComponent.map { FilePath(root: nil, [$0]).displayText } ?? "",
            path: path, note: note, allocated: allocated, fileCount: files, lastUse: lastUse,
            // mutation: r31b-1
            action: purgeClass == .essential || hasTrash ? .dispose : .purge)
    }
}
