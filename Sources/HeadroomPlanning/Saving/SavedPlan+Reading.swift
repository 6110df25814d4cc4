//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
public import SystemPackage

extension SavedPlan {
    /// Reads a plan from JSON Lines that come in parts.
    ///
    /// - Parameters:
    ///   - rootMarks: as in ``load(_:rootMarks:)``.
    ///   - source: returns the next part, empty at the end.
    /// - Throws: `damaged`, with line and column, for anything that ``write(_:to:)`` does not write,
    ///   and what `source` throws.
    /// - Complexity: O(length) time and memory; nesting costs no stack.
    public static func read(
        rootMarks: [FilePath: Mark] = [:],
        from source: @escaping () throws(HeadroomError) -> [UInt8]
    ) throws(HeadroomError) -> Plan {
        var reader = SavedPlanReader(rootMarks: rootMarks, source: source)
        return try reader.read()
    }
}

/// Builds the plan up, line by line.
struct SavedPlanReader: ~Copyable {
    private var json: JSONTokenizer
    private let rootMarks: [FilePath: Mark]
    private var header = SavedPlanHeader()
    private var draft: InventoryDraft
    private var directories: [[UInt8]: UInt32] = [:]
    private var seen: Set<[UInt8]> = []
    private var chosen: [Candidate] = []
    private var sets: [UInt32: [UInt32]] = [:]
    private var evidence: [UInt32: (members: Int, sum: UInt64)] = [:]
    private var stores: [UInt32: InventoryStore] = [:]

    init(rootMarks: [FilePath: Mark], source: @escaping JSONTokenizer.Source) {
        json = JSONTokenizer(source: source)
        self.rootMarks = rootMarks
        draft = InventoryDraft(areas: [], scanned: .distantPast)
    }

    mutating func read() throws(HeadroomError) -> Plan {
        header = try SavedPlanHeader(&json)
        draft = InventoryDraft(
            areas: header.areas, scanned: header.scanned, key: header.key)
        for _ in 0..<header.directoryCount { try readDirectory() }
        for _ in 0..<header.entryCount { try readEntry() }
        try json.expectEnd()
        return Plan(
            inventory: draft.finish().with(InventoryStores(Array(stores.values))), header: header,
            chosen: chosen, sets: sets,
            evidence: evidence)
    }

    // MARK: - Directories

    private mutating func readDirectory() throws(HeadroomError) {
        var fields = DirectoryFields()
        try json.expect("{", "a directory")
        while let key = try json.nextKey() { try fields.read(key, &json) }
        guard let path = fields.path, let identity = fields.identity, fields.fingerprint != nil
        else { throw json.error("The directory is not complete") }
        guard directories[path.bytes] == nil else { throw json.error("The directory comes twice") }
        var directory = InventoryDraft.Directory(identity: identity)
        directory.mountID = fields.mount
        directory.owner = fields.owner
        directory.allocated = fields.allocated
        directory.modified = fields.modified
        directory.created = fields.born
        directory.fingerprint = fields.fingerprint ?? 0
        let mark = PackedMark(rawValue: fields.mark)
        guard PackedMark(mark.mark) == mark else { throw json.error("The mark makes no sense") }
        directory.mark = mark.mark
        let number: UInt32
        if fields.isRoot {
            let root = FilePath(bytes: path.bytes)
            number = draft.addRoot(root, directory, mark: rootMarks[root] ?? .none)
        } else {
            guard let (parent, name) = path.split, let outer = directories[parent],
                draft.isInLastRoot(outer)
            else { throw json.error("The directory around it is not in the plan") }
            number = draft.addDirectory(name, in: outer, directory)
        }
        directories[path.bytes] = number
    }

    // MARK: - Entries

    private mutating func readEntry() throws(HeadroomError) {
        var fields = EntryFields()
        try json.expect("{", "an entry")
        while let key = try json.nextKey() { try fields.read(key, &json) }
        guard let path = fields.path, let key = fields.order, let unit = fields.unit,
            let area = fields.area, Int(area) < header.areas.count
        else { throw json.error("The entry is not complete") }
        // mutation: r17c-1 (3 lines)
        guard key >> 61 <= OrderKey.Rank.lastResort.rawValue,
            OrderKey.plannedClass(of: key) == fields.purgeClass
        else { throw json.error("The order and the class of the entry disagree") }
        // Of a cache store values of several classes may go.
        let isValues = unit == .cacheValues
        guard seen.insert(isValues ? path.bytes + [0, UInt8(key >> 61)] : path.bytes).inserted
        else { throw json.error("The entry comes twice") }
        var candidate = Candidate(
            key: key, bytes: fields.bytes, number: 0, area: area, kind: .file,
            flags: Candidate.Flags(rawValue: fields.flags).union(.selected))
        switch unit {
        case .file, .fileSet:
            candidate.kind = unit == .file ? .file : .fileSet
            candidate.number = try addItems(fields.items, at: path, unit, area)
        case .cacheValues:
            candidate.kind = .cacheValues
            candidate.number = try addValues(fields, at: path, area)
        case .directory, .leftover, .emptyDirectory:
            guard fields.items.isEmpty else { throw json.error("A directory has no items") }
            candidate.kind = unit == .emptyDirectory ? .emptyDirectory : .directory
            guard let number = directories[path.bytes], draft.area(of: number) == area,
                !draft.isAreaRoot(number)
            else { throw json.error("The directory does not lie in its area") }
            candidate.number = number
            if unit != .emptyDirectory {
                guard fields.members > 0 else { throw json.error("The evidence is missing") }
                evidence[number] = (fields.members, fields.sum)
            }
        }
        chosen.append(candidate)
    }

    /// Adds what an entry says of a cache store.
    ///
    /// - Returns: the number of its directory.
    private mutating func addValues(
        _ fields: EntryFields, at path: PlanPath, _ area: UInt16
    ) throws(HeadroomError) -> UInt32 {
        guard let number = directories[path.bytes], draft.area(of: number) == area else {
            throw json.error("The cache store does not lie in its area and the plan's directories")
        }
        guard !fields.slices.isEmpty, fields.items.isEmpty,
            fields.slices.reduce(Int64(0), { $0.addingClamped($1.bytes) }) >= fields.bytes
        else { throw json.error("The slices of the cache store do not make up its bytes") }
        var store =
            stores[number]
            ?? InventoryStore(directory: number, allocated: fields.storeAllocated, slices: [])
        store.slices += fields.slices
        stores[number] = store
        return number
    }

    /// Adds an entry's items beside each other.
    ///
    /// - Returns: the number of the first one.
    private mutating func addItems(
        _ items: [ItemFields], at path: PlanPath, _ unit: PlanEntry.Unit, _ area: UInt16
    ) throws(HeadroomError) -> UInt32 {
        guard let (parent, name) = path.split, let directory = directories[parent],
            draft.area(of: directory) == area
        else { throw json.error("The entry does not lie in its area and the plan's directories") }
        guard items.first?.name == name, unit == .file ? items.count == 1 : items.count > 1 else {
            throw json.error("The items of the entry are not its own")
        }
        var numbers: [UInt32] = []
        for fields in items {
            guard let itemName = fields.name, let identity = fields.identity,
                let fingerprint = fields.fingerprint
            else { throw json.error("The item is not complete") }
            var item = InventoryDraft.Item(identity: identity)
            item.fingerprint = fingerprint
            item.linkCount = fields.links
            item.type = fields.isSymbolicLink ? .symbolicLink : .regular
            item.allocated = fields.allocated
            item.logical = fields.logical
            item.modified = fields.modified
            item.accessed = fields.accessed
            item.created = fields.born
            if !numbers.isEmpty {
                // A set is a database and what SQLite keeps beside it, nothing else.
                let isBeside = itemName.withEntryName { Sidecar($0) != nil }
                guard isBeside, itemName.bytes.starts(with: name.bytes) else {
                    throw json.error("The set has a member that is no sidecar of it")
                }
                guard seen.insert(parent + [0x2F] + itemName.bytes).inserted else {
                    throw json.error("The item comes twice")
                }
            }
            numbers.append(draft.addItem(itemName, in: directory, item))
        }
        if unit == .fileSet { sets[numbers[0]] = numbers }
        return numbers[0]
    }
}

/// An absolute path whose components are names: neither empty nor `.` nor `..`.
struct PlanPath {
    let bytes: [UInt8]
    private let names: [FileName]

    init?(_ bytes: [UInt8]) {
        guard bytes.first == 0x2F else { return nil }
        self.bytes = bytes
        if bytes.count == 1 {
            names = []
            return
        }
        var names: [FileName] = []
        for part in bytes.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false) {
            guard let name = FileName.ofEntry(Array(part)) else { return nil }
            names.append(name)
        }
        self.names = names
    }

    /// The path of the directory around it, and its name there; nil for `/`.
    var split: (parent: [UInt8], name: FileName)? {
        guard let name = names.last else { return nil }
        let parent = Array(bytes.dropLast(name.bytes.count + 1))
        return (parent.isEmpty ? [0x2F] : parent, name)
    }
}

extension FileName {
    /// The name of something that may be purged: not `.`, `..` or one that a purge gives.
    static func ofEntry(_ bytes: [UInt8]) -> FileName? {
        guard bytes != [0x2E], bytes != [0x2E, 0x2E], bytes.count <= 1023 else { return nil }
        guard let name = FileName(bytes) else { return nil }
        return name.withEntryName { ReservedName.matches($0) } ? nil : name
    }
}
