//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
import SystemPackage

/// The first line of a saved plan.
struct SavedPlanHeader {
    var created = Timestamp(nanoseconds: 0)
    var scanned = Timestamp(nanoseconds: 0)
    var directoryCount = 0
    var entryCount = 0
    var frees: Int64 = 0
    var missing: Int64 = 0
    var missingInodes = 0
    var through = PurgeableClass.temporary
    var minIdle = MinIdle.standard
    var targets: [Target] = []
    var key = FingerprintKey(0, 0)
    var areas: [Area] = []
    var kept = KeptTotals()
    var obstacles: [PlanObstacle] = []
    var overLimit: [(area: Area, excess: ByteCount)] = []

    init() {}

    init(_ json: inout JSONTokenizer) throws(HeadroomError) {
        var schema = ""
        var hasKey = false
        try json.expect("{", "a saved plan")
        while let name = try json.nextKey() {
            switch name {
            case "schema":
                schema = try json.text(name)
                guard schema == SavedPlan.schema else {
                    throw json.error("This is no plan that this version can read")
                }
            case "created": try json.skipValue()
            case "createdNanoseconds": created.nanoseconds = try json.integer(name)
            case "scannedNanoseconds": scanned.nanoseconds = try json.integer(name)
            case "directories": directoryCount = try json.integer(name)
            case "entries": entryCount = try json.integer(name)
            case "freesBytes": frees = try json.integer(name)
            case "missingBytes": missing = try json.integer(name)
            case "missingInodes": missingInodes = try json.integer(name)
            case "through":
                let value = PurgeClass(name: try json.text(name)).flatMap(PurgeableClass.init)
                guard let value else { throw json.error("Nothing of this class can be spent") }
                through = value
            case "minIdleSeconds": try readMinIdle(&json)
            case "targets":
                try json.array(name) { json throws(HeadroomError) in
                    targets.append(try Target(&json))
                }
            case "key":
                let digits = try json.string(limit: 32, name)
                guard digits.count == 32, let first = JSONTokenizer.value(digits[..<16]),
                    let second = JSONTokenizer.value(digits[16...])
                else { throw json.error("Expected 32 hexadecimal digits for the key") }
                key = FingerprintKey(first, second)
                hasKey = true
            case "areas":
                try json.array(name) { json throws(HeadroomError) in
                    guard areas.count < 10_000 else { throw json.error("Too many areas") }
                    areas.append(try Area(&json))
                }
            case "kept": try readKept(&json)
            case "obstacles": try readObstacles(&json)
            case "overLimit": try readOverLimit(&json)
            default: throw json.error("A plan has no field “\(name)”")
            }
        }
        guard schema == SavedPlan.schema, hasKey else { throw json.error("This is no saved plan") }
        guard Set(areas.map(\.root)).count == areas.count else {
            throw json.error("An area comes twice")
        }
    }

    private mutating func readMinIdle(_ json: inout JSONTokenizer) throws(HeadroomError) {
        try json.expect("{", "idle times")
        while let name = try json.nextKey() {
            let idle = Duration.seconds(min(try json.integer(name) as Int64, 1 << 40))
            switch name {
            case "temporary": minIdle.temporary = idle
            case "cache": minIdle.cache = idle
            case "lastResort": minIdle.lastResort = idle
            default: throw json.error("Idle times have no field “\(name)”")
            }
        }
    }

    private mutating func readKept(_ json: inout JSONTokenizer) throws(HeadroomError) {
        try json.array("kept") { json throws(HeadroomError) in
            var code = ""
            var entry = KeptTotals.Entry()
            try json.expect("{", "a sum")
            while let name = try json.nextKey() {
                switch name {
                case "code": code = try json.text(name)
                case "count": entry.count = try json.integer(name)
                case "bytes": entry.bytes = try json.integer(name)
                default: throw json.error("A sum has no field “\(name)”")
                }
            }
            kept.add(Reason.Code(code), bytes: entry.bytes, count: entry.count)
        }
    }

    private mutating func readObstacles(_ json: inout JSONTokenizer) throws(HeadroomError) {
        try json.array("obstacles") { json throws(HeadroomError) in
            var path: FilePath?
            var code = ""
            var text: String?
            try json.expect("{", "an obstacle")
            while let name = try json.nextKey() {
                switch name {
                case "path", "pathBytes":
                    // Only shown; what an interrupted purge has left may be among them.
                    path = FilePath(
                        bytes: try json.bytes("path", isEncoded: name == "pathBytes"))
                case "code": code = try json.text(name)
                case "text": text = try json.text(name)
                default: throw json.error("An obstacle has no field “\(name)”")
                }
            }
            guard let path, obstacles.count < PlanObstacle.limit else {
                throw json.error("The obstacle is not complete, or one too many")
            }
            var obstacle = PlanObstacle(path: path, code: Reason.Code(code))
            if let text { obstacle.reason.text = text }
            obstacles.append(obstacle)
        }
    }

    private mutating func readOverLimit(_ json: inout JSONTokenizer) throws(HeadroomError) {
        try json.array("overLimit") { json throws(HeadroomError) in
            var root: FilePath?
            var excess: Int64 = 0
            try json.expect("{", "an area")
            while let name = try json.nextKey() {
                switch name {
                case "root", "rootBytes":
                    root = FilePath(
                        bytes: try json.planPath(isEncoded: name == "rootBytes").bytes)
                case "excess": excess = try json.integer(name)
                default: throw json.error("There is no field “\(name)” here")
                }
            }
            guard let area = areas.first(where: { $0.root == root }) else {
                throw json.error("There is no such area")
            }
            overLimit.append((area, ByteCount(excess)))
        }
    }
}

extension Area {
    fileprivate init(_ json: inout JSONTokenizer) throws(HeadroomError) {
        var root: FilePath?
        var purgeClass: PurgeClass?
        self.init(root: FilePath("/"), purgeClass: .essential, origin: "")
        try json.expect("{", "an area")
        while let name = try json.nextKey() {
            switch name {
            case "root", "rootBytes":
                root = FilePath(bytes: try json.planPath(isEncoded: name == "rootBytes").bytes)
            case "class": purgeClass = PurgeClass(name: try json.text(name))
            case "unit":
                unit = try json.oneOf([.file, .entry, .directory], named: \.savedName, name)
            case "order":
                order = try json.oneOf(
                    [.leastRecentlyUsed, .oldestCreated], named: \.savedName, name)
            case "ageBasis":
                ageBasis = try json.oneOf([.used, .modified, .created], named: \.savedName, name)
            case "retentionSeconds": retention = .seconds(try json.integer(name) as Int64)
            case "limit": limit = ByteCount(try json.integer(name))
            case "trimPercent": trimPercent = min(100, try json.integer(name))
            case "importance": importance = min(100, try json.integer(name))
            case "origin": origin = try json.text(name)
            case "allowsMountRoot": allowsMountRoot = try json.boolean(name)
            case "catalogue": catalogueID = try json.text(name)
            case "trash": isTrash = try json.boolean(name)
            default: throw json.error("An area has no field “\(name)”")
            }
        }
        guard let root, let purgeClass else { throw json.error("The area is not complete") }
        self.root = root
        self.purgeClass = purgeClass
    }
}

extension Target {
    fileprivate init(_ json: inout JSONTokenizer) throws(HeadroomError) {
        var kind = ""
        var value: Int64 = 0
        var basis = AgeBasis.used
        try json.expect("{", "a target")
        while let name = try json.nextKey() {
            switch name {
            case "kind": kind = try json.text(name)
            case "value": value = try json.integer(name)
            case "basis":
                basis = try json.oneOf([.used, .modified, .created], named: \.savedName, name)
            default: throw json.error("A target has no field “\(name)”")
            }
        }
        switch kind {
        case "free": self = .free(ByteCount(value))
        case "available": self = .available(ByteCount(value))
        case "availableShare": self = .availableShare(basisPoints: Int(value))
        case "normalLevel": self = .normalLevel
        case "toLimit": self = .toLimit(ByteCount(value))
        case "overLimit": self = .overLimit
        case "expired": self = .expired
        case "olderThan": self = .olderThan(.seconds(value), by: basis)
        case "inodes": self = .inodes(Int(value))
        case "all": self = .all
        default: throw json.error("There is no such target")
        }
    }
}

extension JSONTokenizer {
    fileprivate mutating func oneOf<Value>(
        _ values: [Value], named name: (Value) -> String, _ what: String
    ) throws(HeadroomError) -> Value {
        let text = try text(what)
        guard let value = values.first(where: { name($0) == text }) else {
            throw error("“\(text)” is not known for \(what)")
        }
        return value
    }
}
