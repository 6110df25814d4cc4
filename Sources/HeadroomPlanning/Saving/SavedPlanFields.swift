//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
import SystemPackage

/// What stands on a line about a directory.
struct DirectoryFields {
    var path: PlanPath?
    var isRoot = false
    private var device: UInt64?
    private var inode: UInt64?
    var mount: UInt64 = 0
    var owner: UInt32 = .max
    var allocated: Int64 = 0
    var modified: UInt32 = 0
    var born: UInt32 = 0
    var fingerprint: UInt64?
    var mark: UInt16 = 0

    var identity: FileIdentity? {
        guard let device, let inode else { return nil }
        return FileIdentity(device: device, inode: inode)
    }

    mutating func read(_ key: String, _ json: inout JSONTokenizer) throws(HeadroomError) {
        switch key {
        case "path", "pathBytes": path = try json.planPath(isEncoded: key == "pathBytes")
        case "isRoot": isRoot = try json.boolean(key)
        case "device": device = try json.integer(key)
        case "inode": inode = try json.integer(key)
        case "mount": mount = try json.integer(key)
        case "owner": owner = try json.integer(key)
        case "allocated": allocated = try json.integer(key)
        case "modified": modified = try json.integer(key)
        case "born": born = try json.integer(key)
        case "fingerprint": fingerprint = try json.hexadecimal(key)
        case "mark": mark = try json.integer(key)
        default: throw json.error("A directory has no field “\(key)”")
        }
    }
}

/// What stands on a line about an entry.
struct EntryFields {
    var path: PlanPath?
    var purgeClass: PlannedClass?
    var unit: PlanEntry.Unit?
    var bytes: Int64 = 0
    var area: UInt16?
    var order: UInt64?
    var flags: UInt8 = 0
    var items: [ItemFields] = []
    var members = 0
    var sum: UInt64 = 0
    var storeAllocated: Int64 = 0
    var slices: [StoreSlice] = []

    mutating func read(_ key: String, _ json: inout JSONTokenizer) throws(HeadroomError) {
        switch key {
        case "path", "pathBytes": path = try json.planPath(isEncoded: key == "pathBytes")
        case "class":
            // There is no value for essential (safety invariant S1).
            purgeClass = PlannedClass(name: try json.text(key))
            if purgeClass == nil { throw json.error("Nothing of this class can be in a plan") }
        case "unit":
            unit = PlanEntry.Unit(rawValue: try json.text(key))
            if unit == nil { throw json.error("There is no such unit") }
        case "bytes": bytes = try json.integer(key)
        case "area": area = try json.integer(key)
        case "order": order = try json.hexadecimal(key)
        case "flags": flags = try json.integer(key)
        case "members": members = try json.integer(key)
        case "sum": sum = try json.hexadecimal(key)
        case "storeAllocated": storeAllocated = try json.integer(key)
        case "slices":
            try json.array("slices") { json throws(HeadroomError) in
                var slice = SliceFields()
                try json.expect("{", "a slice")
                while let key = try json.nextKey() { try slice.read(key, &json) }
                guard let slice = slice.slice else { throw json.error("The slice is not complete") }
                slices.append(slice)
            }
        case "items":
            try json.array("items") { json throws(HeadroomError) in
                var item = ItemFields()
                try json.expect("{", "an item")
                while let key = try json.nextKey() { try item.read(key, &json) }
                items.append(item)
            }
        // For people. The purge uses "order" and "items".
        case "lastUse", "reason", "sidecars": try json.skipValue()
        default: throw json.error("An entry has no field “\(key)”")
        }
    }
}

/// What an entry says of values of a cache store.
struct SliceFields {
    private var purgeClass: PurgeableClass?
    private var isExpired = false
    private var values = 0
    private var bytes: Int64 = -1
    private var used: UInt32 = 0
    private var latestUse: UInt32 = 0
    private var latestCreation: UInt32 = 0

    var slice: StoreSlice? {
        guard let purgeClass, values > 0, bytes >= 0 else { return nil }
        return StoreSlice(
            purgeClass: purgeClass, isExpired: isExpired, values: values, bytes: bytes, used: used,
            latestUse: latestUse, latestCreation: latestCreation)
    }

    mutating func read(_ key: String, _ json: inout JSONTokenizer) throws(HeadroomError) {
        switch key {
        case "class":
            let name = try json.text(key)
            purgeClass = PurgeableClass.allCases.first { $0.purgeClass.name == name }
        case "expired": isExpired = try json.boolean(key)
        case "values": values = try json.integer(key)
        case "bytes": bytes = try json.integer(key)
        case "used": used = try json.integer(key)
        case "latestUse": latestUse = try json.integer(key)
        case "latestCreation": latestCreation = try json.integer(key)
        default: throw json.error("A slice has no field “\(key)”")
        }
    }
}

/// What an entry says of a file.
struct ItemFields {
    var name: FileName?
    private var device: UInt64?
    private var inode: UInt64?
    var fingerprint: UInt64?
    var links: UInt16 = 1
    var isSymbolicLink = false
    var allocated: Int64 = 0
    var logical: Int64 = 0
    var modified: UInt32 = 0
    var accessed: UInt32 = 0
    var born: UInt32 = 0

    var identity: FileIdentity? {
        guard let device, let inode else { return nil }
        return FileIdentity(device: device, inode: inode)
    }

    mutating func read(_ key: String, _ json: inout JSONTokenizer) throws(HeadroomError) {
        switch key {
        case "name", "nameBytes":
            name = FileName.ofEntry(try json.bytes(key, isEncoded: key == "nameBytes"))
            if name == nil { throw json.error("This is no name of a file") }
        case "device": device = try json.integer(key)
        case "inode": inode = try json.integer(key)
        case "fingerprint": fingerprint = try json.hexadecimal(key)
        case "links": links = try json.integer(key)
        case "symbolic": isSymbolicLink = try json.boolean(key)
        case "allocated": allocated = try json.integer(key)
        case "logical": logical = try json.integer(key)
        case "modified": modified = try json.integer(key)
        case "accessed": accessed = try json.integer(key)
        case "born": born = try json.integer(key)
        default: throw json.error("An item has no field “\(key)”")
        }
    }
}

extension JSONTokenizer {
    /// A string, percent-encoded or as it is.
    mutating func bytes(_ what: String, isEncoded: Bool) throws(HeadroomError) -> [UInt8] {
        // A tree of 3,000 directories with names of 255 bytes, each byte encoded, is 2.3 MB.
        let raw = try string(limit: 4 << 20, what)
        guard isEncoded else { return raw }
        guard let decoded = PercentEncoding.decoded(raw) else {
            throw error("\(what) is not percent-encoded")
        }
        return decoded
    }

    mutating func planPath(isEncoded: Bool) throws(HeadroomError) -> PlanPath {
        let path = PlanPath(try bytes("path", isEncoded: isEncoded))
        guard let path else { throw error("This is no absolute path of plain names") }
        return path
    }

    /// Sixteen hexadecimal digits.
    mutating func hexadecimal(_ what: String) throws(HeadroomError) -> UInt64 {
        let digits = try string(limit: 16, what)
        guard digits.count == 16, let value = Self.value(digits[...]) else {
            throw error("Expected sixteen hexadecimal digits for \(what)")
        }
        return value
    }

    static func value(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for byte in digits {
            guard let digit = digit(byte) else { return nil }
            value = value << 4 | UInt64(digit)
        }
        return value
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
