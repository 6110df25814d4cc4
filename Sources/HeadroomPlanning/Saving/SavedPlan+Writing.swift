//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
import SystemPackage

extension SavedPlan {
    /// Writes a plan as JSON Lines, some 64 KiB at a time.
    ///
    /// - Throws: what `sink` throws.
    /// - Complexity: O(entries, and members of directory units).
    public static func write(
        _ plan: Plan, to sink: ([UInt8]) throws(HeadroomError) -> Void
    ) throws(HeadroomError) {
        var buffer: [UInt8] = []
        let directories = plan.directoriesOnTheWay
        let units = Set(plan.chosen.lazy.filter { $0.kind == .directory }.map(\.number))
        append(header(of: plan, directoryCount: directories.count), to: &buffer)
        for number in directories {
            append(
                directory(number, of: plan.inventory, isUnit: units.contains(number)), to: &buffer)
            try flush(&buffer, above: 1 << 16, sink)
        }
        for index in plan.indices {
            append(entry(index, of: plan), to: &buffer)
            try flush(&buffer, above: 1 << 16, sink)
        }
        try flush(&buffer, above: 0, sink)
    }

    private static func append(_ line: JSONWriter, to buffer: inout [UInt8]) {
        buffer += line.bytes
        buffer.append(0x0A)
    }

    private static func flush(
        _ buffer: inout [UInt8], above size: Int, _ sink: ([UInt8]) throws(HeadroomError) -> Void
    ) throws(HeadroomError) {
        guard buffer.count > size else { return }
        try sink(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    private static func header(of plan: Plan, directoryCount: Int) -> JSONWriter {
        var json = JSONWriter()
        json.object { json in
            json.member("schema", schema)
            json.member("created", plan.request.now)
            json.member("createdNanoseconds", max(0, plan.request.now.nanoseconds))
            json.member("scannedNanoseconds", max(0, plan.inventory.scanned.nanoseconds))
            json.member("directories", directoryCount)
            json.member("entries", plan.count)
            json.member("freesBytes", plan.frees.bytes)
            json.member("missingBytes", plan.missing.bytes)
            json.member("missingInodes", plan.missingInodes)
            json.member("through", plan.request.through.purgeClass.name)
            json.object("minIdleSeconds") { json in
                for purgeClass in PurgeableClass.allCases {
                    let idle = plan.request.minIdle[purgeClass].components.seconds
                    json.member(purgeClass.purgeClass.name, max(0, idle))
                }
            }
            json.objects("targets", plan.request.targets) { $1.write(to: &$0) }
            let key = plan.inventory.key
            json.member("key", hexadecimal(key.first) + hexadecimal(key.second))
            json.objects("areas", plan.inventory.areas) { write($1, to: &$0) }
            json.objects("kept", plan.kept.byReason.sorted { "\($0.key)" < "\($1.key)" }) {
                json, kept in
                json.member("code", kept.key.description)
                json.member("count", kept.value.count)
                json.member("bytes", max(0, kept.value.bytes))
            }
            json.objects("obstacles", plan.obstacles) { json, obstacle in
                json.member("path", obstacle.path)
                json.members(of: obstacle.reason)
            }
            json.objects("overLimit", plan.overLimit) { json, over in
                json.member("root", over.area.root)
                json.member("excess", max(0, over.excess.bytes))
            }
        }
        return json
    }

    private static func write(_ area: Area, to json: inout JSONWriter) {
        json.member("root", area.root)
        json.member("class", area.purgeClass.name)
        json.member("unit", area.unit.savedName)
        json.member("order", area.order.savedName)
        json.member("ageBasis", area.ageBasis.savedName)
        if let retention = area.retention {
            json.member("retentionSeconds", max(0, retention.components.seconds))
        }
        if let limit = area.limit { json.member("limit", max(0, limit.bytes)) }
        if area.trimPercent != 100 { json.member("trimPercent", area.trimPercent) }
        json.member("importance", area.importance)
        json.member("origin", area.origin)
        json.member("allowsMountRoot", area.allowsMountRoot)
        if let id = area.catalogueID { json.member("catalogue", id) }
        if area.isTrash { json.member("trash", true) }
    }

    private static func directory(
        _ number: UInt32, of inventory: Inventory, isUnit: Bool
    ) -> JSONWriter {
        let record = inventory.directories[Int(number)]
        var json = JSONWriter()
        json.object { json in
            json.member("path", inventory.path(ofDirectory: number))
            json.member("isRoot", record.parent == DirectoryRecord.none)
            json.member("device", record.identity.device)
            json.member("inode", record.identity.inode)
            json.member("mount", record.mountID)
            json.member("owner", record.owner)
            // Of a unit, whose members are not in the file, what they occupy.
            json.member(
                "allocated", max(0, isUnit ? record.totals.allocated : record.allocated))
            json.member("modified", record.modified)
            json.member("born", record.created)
            // Which none has, if nothing can be told by it.
            let isEvidence = !record.flags.contains(.inTick)
            json.member(
                "fingerprint", hexadecimal(isEvidence ? record.fingerprint : ~record.fingerprint))
            json.member("mark", record.mark.rawValue)
        }
        return json
    }

    private static func entry(_ index: Int, of plan: Plan) -> JSONWriter {
        let entry = plan[index]
        let candidate = plan.chosen[index]
        var json = JSONWriter()
        json.object { json in
            entry.write(to: &json)
            json.member("area", candidate.area)
            json.member("order", hexadecimal(candidate.key))
            json.member("flags", candidate.flags.rawValue)
            switch candidate.kind {
            case .file:
                json.objects("items", [candidate.number]) { write($1, of: plan.inventory, to: &$0) }
            case .fileSet:
                json.objects("items", plan.sets[candidate.number] ?? []) {
                    write($1, of: plan.inventory, to: &$0)
                }
            case .directory:
                let evidence = plan.evidence(ofUnit: candidate.number)
                json.member("members", evidence.members)
                json.member("sum", hexadecimal(evidence.sum))
            case .cacheValues: writeValues(candidate, of: plan, to: &json)
            case .emptyDirectory: break
            }
        }
        return json
    }

    /// What a purge has to know of the store: what it held, and the slices that go.
    private static func writeValues(
        _ candidate: Candidate, of plan: Plan, to json: inout JSONWriter
    ) {
        guard let store = plan.inventory.stores[candidate.number] else { return }
        json.member("storeAllocated", max(0, store.allocated))
        let slices = store.slices(
            in: candidate.bytes,
            of: store.classes(of: candidate.purgeableClass, in: plan.inventory))
        json.objects("slices", slices) { json, slice in
            json.member("class", slice.purgeClass.purgeClass.name)
            json.member("expired", slice.isExpired)
            json.member("values", slice.values)
            json.member("bytes", max(0, slice.bytes))
            json.member("used", slice.used)
            json.member("latestUse", slice.latestUse)
            json.member("latestCreation", slice.latestCreation)
        }
    }

    private static func write(_ id: UInt32, of inventory: Inventory, to json: inout JSONWriter) {
        let item = inventory.item(id)
        let identity = inventory.identity(ofItem: id)
        // A relative path of one component: that is how a name is written.
        json.member("name", FilePath(bytes: inventory.name(ofItem: id).owned.bytes))
        json.member("device", identity.device)
        json.member("inode", identity.inode)
        json.member("fingerprint", hexadecimal(item.fingerprint))
        json.member("links", item.linkCount)
        json.member("symbolic", item.type == .symbolicLink)
        json.member("allocated", max(0, item.allocated))
        json.member("logical", max(0, item.logical))
        json.member("modified", item.modified)
        json.member("accessed", item.accessed)
        json.member("born", item.created)
    }

    /// All sixteen digits.
    static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension Plan {
    /// Numbers of all directories from the roots to the entries, parents first, root by root.
    fileprivate var directoriesOnTheWay: [UInt32] {
        var needed: Set<UInt32> = []
        for candidate in chosen {
            var directory =
                candidate.kind == .file || candidate.kind == .fileSet
                ? inventory.item(candidate.number).parent : candidate.number
            while directory != DirectoryRecord.none, needed.insert(directory).inserted {
                directory = inventory.directories[Int(directory)].parent
            }
        }
        return needed.sorted()
    }
}

extension PurgeUnit {
    var savedName: String {
        switch self {
        case .file: "file"
        case .entry: "entry"
        case .directory: "directory"
        }
    }
}

extension AreaOrder {
    var savedName: String {
        switch self {
        case .leastRecentlyUsed: "leastRecentlyUsed"
        case .oldestCreated: "oldestCreated"
        }
    }
}

extension AgeBasis {
    var savedName: String {
        switch self {
        case .used: "used"
        case .modified: "modified"
        case .created: "created"
        }
    }
}

extension Target {
    fileprivate func write(to json: inout JSONWriter) {
        switch self {
        case .free(let bytes): Self.write("free", bytes.bytes, &json)
        case .available(let bytes): Self.write("available", bytes.bytes, &json)
        case .availableShare(let points): Self.write("availableShare", Int64(points), &json)
        case .normalLevel: json.member("kind", "normalLevel")
        case .toLimit(let bytes): Self.write("toLimit", bytes.bytes, &json)
        case .overLimit: json.member("kind", "overLimit")
        case .expired: json.member("kind", "expired")
        case .olderThan(let age, let basis):
            Self.write("olderThan", age.components.seconds, &json)
            json.member("basis", basis.savedName)
        case .inodes(let count): Self.write("inodes", Int64(count), &json)
        case .all: json.member("kind", "all")
        }
    }

    private static func write(_ kind: String, _ value: Int64, _ json: inout JSONWriter) {
        json.member("kind", kind)
        json.member("value", max(0, value))
    }
}
