//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform

/// Why a single file can be had again.
enum RecreatableReason: Hashable, Sendable {
    /// Its directory, or its own mark.
    case place
    case rule(Int)
    case origin(String)
}

extension AuditSurvey {
    /// Corrects the sums by what was read, and adds them up the tree.
    mutating func add(_ evidence: [UInt32: FileEvidence]) {
        for number in candidates {
            guard let read = evidence[number] else { continue }
            correct(number, read)
        }
        sumUp()
    }

    private mutating func correct(_ number: UInt32, _ evidence: FileEvidence) {
        let item = inventory.item(number)
        let parent = Int(item.parent)
        let byName = FileKind(name: inventory.name(ofItem: number).owned)
        let byContent = kind(of: number, evidence)
        let before = (backup(of: number), isRecreatable(number, byName))
        let after = (backup(of: number, evidence), reason(number, byContent, evidence) != nil)
        let lastUse = item.lastUse(
            countingAccess: inventory.root(ofDirectory: item.parent).countsAccess)
        if before.0 == .included {
            directories[parent].backedUp &-= item.allocated
            if before.1 {
                directories[parent].recreatable &-= item.allocated
                directories[parent].recreatableItems &-= 1
            }
            backedUp[byName]?.remove(item)
            if backedUp[byName]?.items == 0 { backedUp[byName] = nil }
        } else if !before.1, before.0 != .byLocation {
            directories[parent].withheld &-= item.allocated
        }
        if after.0 == .included {
            directories[parent].backedUp &+= item.allocated
            if after.1 {
                directories[parent].recreatable &+= item.allocated
                directories[parent].recreatableItems &+= 1
            }
            backedUp[byContent, default: InventorySum()].add(item, lastUse: lastUse)
        } else {
            if !after.1, after.0 != .byLocation { directories[parent].withheld &+= item.allocated }
            if before.0 == .included {
                leftOut[after.0, default: InventorySum()].add(item, lastUse: lastUse)
            }
        }
    }

    /// Whether an item is backed up, by what was read too.
    func backup(of number: UInt32, _ evidence: FileEvidence?) -> AuditBackup {
        let known = backup(of: number)
        return known == .included && evidence?.isExcluded == true ? .excluded : known
    }

    /// Why an item can be had again; nil if it cannot, as far as is known.
    func reason(
        _ number: UInt32, _ kind: FileKind, _ evidence: FileEvidence?
    ) -> RecreatableReason? {
        if isRecreatable(number, kind) { return .place }
        let entry = directories[Int(inventory.item(number).parent)]
        guard !Self.isNeverRecreatable(kind, entry.role), entry.role != .system else { return nil }
        if let origin = evidence?.origin { return .origin(origin) }
        let name = unsafe inventory.name(ofItem: number).bytes.map { NamePattern.lower($0) }
        let rule = rules.fileRule(name) { rule in
            rule.scope == .any || rule.scope == .data && entry.role.holdsAppData
        }
        return rule.map { .rule($0) }
    }
}

extension InventorySum {
    /// Takes an item out again; the span of uses stays.
    mutating func remove(_ item: ItemRecord) {
        items &-= 1
        guard !item.flags.contains(.countedElsewhere) else { return }
        allocated.bytes &-= item.allocated
        logical.bytes &-= item.logical
    }
}
