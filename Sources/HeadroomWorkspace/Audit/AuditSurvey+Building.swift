//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
import SystemPackage

extension AuditSurvey {
    // MARK: - Directories

    /// Hands roles, exclusion and what can be had again down the tree: a parent's number is smaller
    /// than its children's, so that each is looked at once.
    mutating func assignRoles(_ tagged: Set<FileIdentity>, _ stores: Set<UInt32>) {
        let places = placeNumbers()
        directories = Array(repeating: Entry(), count: inventory.directories.count)
        for number in directories.indices {
            let record = inventory.directories[number]
            let isRoot = record.parent == DirectoryRecord.none
            let outer = isRoot ? Entry() : directories[Int(record.parent)]
            var entry = Entry()
            entry.role = outer.role
            entry.isByLocation = outer.isByLocation
            entry.basis = outer.basis
            // mutation: r13a-2
            entry.isInStore = outer.isInStore || stores.contains(UInt32(number))
            if let place = places[UInt32(number)] {
                entry.role = place.role
                entry.isRoleRoot = true
                entry.isByLocation = place.isLeftOut ?? outer.isByLocation
            } else if isRoot {
                let around = placeAround(inventory.root(ofDirectory: UInt32(number)).path)
                entry.role = around.role
                entry.isByLocation = around.isLeftOut ?? false
            } else if outer.role == .library, outer.isRoleRoot, AuditPlaces.isSystem(record.name) {
                entry.role = .system
                entry.isRoleRoot = true
            }
            entry.backup = backup(record.mark.mark, entry, outer, isRoot: isRoot)
            if entry.basis == nil {
                entry.basis =
                    tagged.contains(record.identity) && !entry.isRoleRoot
                    ? .tag : basis(UInt32(number), record, entry)
            }
            directories[number] = entry
        }
    }

    private func backup(_ mark: Mark, _ entry: Entry, _ outer: Entry, isRoot: Bool) -> AuditBackup {
        guard mark.isExcludedFromBackup == true else {
            return entry.isByLocation ? .byLocation : .included
        }
        let isInherited =
            !isRoot && (outer.backup == .excluded || outer.backup == .inherited)
        return isInherited ? .inherited : .excluded
    }

    private func basis(_ number: UInt32, _ record: DirectoryRecord, _ entry: Entry) -> Basis? {
        if inventory.purgeClass(of: record) != .essential { return .declared }
        guard entry.role != .preferences, entry.role != .system, !entry.isRoleRoot else {
            return nil
        }
        let name = unsafe record.entryName.bytes.map { NamePattern.lower($0) }
        guard !name.isEmpty else { return nil }
        return rules.directoryRule(name) { rule in
            (rule.scope != .data || entry.role.holdsAppData) && fits(rule, number)
        }.map { .rule($0) }
    }

    /// Whether the directories around one are those that a rule names.
    private func fits(_ rule: RecreatableRule, _ number: UInt32) -> Bool {
        var current = number
        for pattern in rule.components.dropLast().reversed() {
            current = inventory.directories[Int(current)].parent
            guard current != DirectoryRecord.none else { return false }
            let record = inventory.directories[Int(current)]
            guard unsafe pattern.matches(record.entryName.bytes.map { NamePattern.lower($0) })
            else { return false }
        }
        guard rule.scope == .home else { return true }
        let parent = inventory.directories[Int(current)].parent
        return parent != DirectoryRecord.none && directories[Int(parent)].role == .home
            && directories[Int(parent)].isRoleRoot
    }

    /// The numbers of the directories in which a role begins.
    private func placeNumbers() -> [UInt32: AuditPlaces.Place] {
        var numbers: [UInt32: AuditPlaces.Place] = [:]
        for (path, place) in AuditPlaces(layouts).places {
            if let directory = inventory.directory(at: path) { numbers[directory.number] = place }
        }
        return numbers
    }

    /// The role of the innermost place that a scanned directory lies in.
    private func placeAround(_ path: FilePath) -> AuditPlaces.Place {
        let places = AuditPlaces(layouts).places
        var current = path
        while true {
            if let place = places[current] { return place }
            guard current.depth > 0 else {
                return AuditPlaces.Place(role: .other, isLeftOut: nil)
            }
            current.removeLastComponent()
        }
    }

    // MARK: - Items

    mutating func surveyItems() {
        var kinds = [InventorySum](repeating: InventorySum(), count: FileKind.allCases.count)
        var left = [InventorySum](repeating: InventorySum(), count: AuditBackup.allCases.count)
        var largest = LargestHeap(limit: options.contentLimit)
        var largestOfKind = FileKind.allCases.map { _ in
            LargestHeap(limit: options.largestPerKind)
        }
        var directories = directories
        var excluded: [UInt32] = []
        let oldest = options.unusedFor.map {
            UInt32(clampedSeconds: inventory.scanned.advanced(by: .zero - $0))
        }
        inventory.forEachShownItem { id, item, lastUse, record in
            let parent = Int(item.parent)
            let kind = FileKind(inventory.name(ofItem: id))
            let entry = directories[parent]
            let bytes = item.flags.contains(.countedElsewhere) ? 0 : item.allocated
            let isMarked = item.flags.contains(.marked)
            let backup = isMarked ? backup(of: id) : entry.backup
            let again = isMarked ? isRecreatable(id, kind) : isRecreatable(entry, kind)
            if backup == .included {
                kinds[Int(kind.rawValue)].add(item, lastUse: lastUse)
                directories[parent].backedUp &+= bytes
                if again {
                    directories[parent].recreatable &+= bytes
                    directories[parent].recreatableItems &+= 1
                }
            } else {
                left[Int(backup.rawValue)].add(item, lastUse: lastUse)
                if !again, backup != .byLocation {
                    directories[parent].withheld &+= bytes
                    if isMarked, backup == .excluded, entry.backup == .included,
                        entry.role.holdsUserContent, excluded.count < AuditOptions.findingLimit
                    {
                        excluded.append(id)
                    }
                }
            }
            // mutation: r13a-3
            // mutation: r13e-1
            // mutation: s12a-1/1
            guard item.type == .regular, bytes > 0, oldest.map({ lastUse <= $0 }) ?? true else {
                return
            }
            if largest.admits(bytes) { largest.insert(id, size: bytes) }
            if !entry.isInStore, largestOfKind[Int(kind.rawValue)].admits(bytes) {
                largestOfKind[Int(kind.rawValue)].insert(id, size: bytes)
            }
        }
        self.directories = directories
        excludedItems = excluded
        for kind in FileKind.allCases where kinds[Int(kind.rawValue)].items > 0 {
            backedUp[kind] = kinds[Int(kind.rawValue)]
        }
        for backup in AuditBackup.allCases where left[Int(backup.rawValue)].items > 0 {
            leftOut[backup] = left[Int(backup.rawValue)]
        }
        var chosen = Set(largest.descending())
        for heap in largestOfKind { chosen.formUnion(heap.descending()) }
        candidates = chosen.sorted()
    }

    /// Adds each directory to its parent, children first.
    mutating func sumUp() {
        for number in directories.indices.reversed() {
            let parent = inventory.directories[number].parent
            guard parent != DirectoryRecord.none else { continue }
            let entry = directories[number]
            directories[Int(parent)].backedUp &+= entry.backedUp
            directories[Int(parent)].recreatable &+= entry.recreatable
            directories[Int(parent)].recreatableItems &+= entry.recreatableItems
            directories[Int(parent)].withheld &+= entry.withheld
        }
    }
}
