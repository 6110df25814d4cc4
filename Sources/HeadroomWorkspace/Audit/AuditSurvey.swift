//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
public import SystemPackage

/// What an inventory says of each directory: its role, whether it is backed up, whether it can be
/// had again. The first half of an audit; reads nothing.
public struct AuditSurvey: Sendable {
    let inventory: Inventory
    let options: AuditOptions
    let layouts: [Layout]
    let rules: RuleIndex
    var directories: [Entry] = []
    /// What is backed up, by kind as the names say.
    var backedUp: [FileKind: InventorySum] = [:]
    var leftOut: [AuditBackup: InventorySum] = [:]
    /// The files whose content is worth reading: the largest of all and of each kind.
    var candidates: [UInt32] = []
    /// Single files that are excluded by themselves, in places for what a person made.
    var excludedItems: [UInt32] = []

    /// Why something can be had again.
    enum Basis: Hashable, Sendable {
        /// Its class says so: temporary, cache or last resort.
        case declared
        /// Another program has put a `CACHEDIR.TAG` there.
        case tag
        /// A rule, by its index.
        case rule(Int)
    }

    /// What is known of one directory.
    struct Entry: Sendable {
        var role = AuditRole.other
        /// A role begins here: no tag is put on it.
        var isRoleRoot = false
        var isByLocation = false
        var backup = AuditBackup.included
        var basis: Basis?
        /// It is a cache store, or lies in one: its files have no meaning by themselves.
        var isInStore = false
        /// Bytes in it and below that are backed up.
        var backedUp: Int64 = 0
        /// Those of them that can be regenerated or downloaded again.
        var recreatable: Int64 = 0
        /// How many items hold these.
        var recreatableItems = 0
        /// Bytes in it and below that are left out though they cannot be had again.
        var withheld: Int64 = 0
    }

    /// Surveys an inventory.
    ///
    /// - Parameters:
    ///   - layouts: of the places that were scanned.
    ///   - tagged: directories that bear another program's `CACHEDIR.TAG`.
    ///   - stores: numbers of the directories that are cache stores.
    /// - Complexity: O(items) and O(directories); about 64 bytes for each directory.
    init(
        _ inventory: Inventory, layouts: [Layout], options: AuditOptions,
        tagged: Set<FileIdentity> = [], stores: Set<UInt32> = []
    ) {
        self.inventory = inventory
        self.options = options
        self.layouts = layouts
        rules = RuleIndex(options.rules)
        assignRoles(tagged, stores)
        surveyItems()
    }

    // MARK: - One place

    /// What is known of one file or directory.
    public struct Standing: Hashable, Sendable {
        public var role: AuditRole
        public var purgeClass: PurgeClass
        public var backup: AuditBackup
        /// Something that can be made or fetched again, by its class or a rule.
        public var isRecreatable: Bool
    }

    /// What a file or directory is to the audit; nil if it was not scanned.
    ///
    /// - Complexity: that of `Inventory.item(at:)`.
    public func standing(of path: FilePath) -> Standing? {
        if let directory = inventory.directory(at: path) {
            let entry = directories[Int(directory.number)]
            return Standing(
                role: entry.role, purgeClass: directory.purgeClass, backup: entry.backup,
                isRecreatable: entry.basis != nil)
        }
        guard let item = inventory.item(at: path) else { return nil }
        return Standing(
            role: directories[Int(item.directory.number)].role, purgeClass: item.purgeClass,
            backup: backup(of: item.number),
            isRecreatable: isRecreatable(item.number, FileKind(name: item.name)))
    }

    /// Whether an item is backed up.
    func backup(of number: UInt32) -> AuditBackup {
        let item = inventory.item(number)
        let entry = directories[Int(item.parent)]
        guard item.flags.contains(.marked),
            let own = inventory.itemMarks[number]?.isExcludedFromBackup
        else { return entry.backup == .excluded ? .inherited : entry.backup }
        if own { return .excluded }
        // Nothing lifts a place.
        return entry.isByLocation ? .byLocation : .included
    }

    /// Whether an item can be had again.
    ///
    /// - Parameter kind: by name, or by content where that is known.
    func isRecreatable(_ number: UInt32, _ kind: FileKind) -> Bool {
        let item = inventory.item(number)
        let entry = directories[Int(item.parent)]
        if item.flags.contains(.marked),
            let own = inventory.itemMarks[number]?.purgeClass, entry.role != .preferences,
            inventory.directories[Int(item.parent)].area != DirectoryRecord.noArea
        {
            return own.purgeClass != .essential
        }
        return isRecreatable(entry, kind)
    }

    @inline(__always)
    func isRecreatable(_ entry: Entry, _ kind: FileKind) -> Bool {
        switch entry.basis {
        case nil: false
        case .declared, .tag: true
        case .rule(let index):
            rules.rules[index].scope != .data || !Self.isNeverRecreatable(kind, entry.role)
        }
    }

    /// What no pattern of names makes something that can be had again.
    static func isNeverRecreatable(_ kind: FileKind, _ role: AuditRole) -> Bool {
        switch kind {
        // mutation: r12b-2
        case .database, .document, .pdf: true
        default: role == .preferences || role == .inbox
        }
    }
}
