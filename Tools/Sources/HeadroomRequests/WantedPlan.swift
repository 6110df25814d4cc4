//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
import HeadroomPlatform
package import SystemPackage

/// What a request wants planned.
package struct WantedPlan: Sendable {
    package var target: Target
    /// Only of this class; nil: of all up to ``through``.
    package var onlyClass: PlannedClass?
    package var through: PurgeableClass
    /// Where the volume is mounted.
    package var volume: FilePath?

    package var description: String {
        guard let onlyClass else { return target.description }
        return "everything \(onlyClass.spokenName)"
    }

    package init(_ members: JSONMembers) throws(APIError) {
        var members = members
        let value = try members.needed("target", members.value("target"))
        (target, onlyClass) = try Self.readTarget(value)
        let name = try members.text("through", limit: 20)
        let path = try members.text("volume")
        let encoded = try members.text("volumeBytes")
        try members.finish()
        through = try Self.readClass(name, onlyClass)
        volume = try FilePath(text: path, encoded: encoded, needed: false)
        switch target {
        case .available, .normalLevel:
            guard volume != nil else {
                throw .bad("The target is about a volume, and none is named.")
            }
        default: break
        }
    }

    private static func readClass(
        _ name: String?, _ onlyClass: PlannedClass?
    ) throws(APIError) -> PurgeableClass {
        let asked: PurgeableClass? =
            switch name {
            case nil: nil
            case "temporary": .temporary
            case "cache": .cache
            case "lastResort": .lastResort
            default:
                throw .bad("“through” is none of: temporary, cache, lastResort.")
            }
        switch onlyClass {
        case .temporary: return .temporary
        case .cache: return .cache
        // Trash that is not expired comes after caches.
        case .trash, .lastResort: return .lastResort
        case nil: return asked ?? .cache
        }
    }

    private static func readTarget(
        _ value: JSONValue
    ) throws(APIError) -> (Target, PlannedClass?) {
        var members = try JSONMembers(value, "The target")
        let kind = try members.needed("kind", members.text("kind", limit: 40))
        let result: (Target, PlannedClass?)
        switch kind {
        case "free", "available":
            let bytes = try members.needed("bytes", members.integer("bytes", 1...1 << 60))
            result = (kind == "free" ? .free(ByteCount(bytes)) : .available(ByteCount(bytes)), nil)
        case "inodes":
            let count = try members.needed("inodes", members.integer("inodes", 1...1 << 40))
            result = (.inodes(Int(count)), nil)
        case "olderThan":
            let seconds = try members.needed(
                "seconds", members.integer("seconds", 1...10_000_000_000))
            result = (.olderThan(.seconds(seconds), by: .used), nil)
        case "class":
            let name = try members.needed("class", members.text("class", limit: 40))
            guard let only = PlannedClass(name: name) else {
                throw .bad("“class” is none of: temporary, cache, trash, lastResort.")
            }
            result = (.all, only)
        case "expired": result = (.expired, nil)
        case "overLimit": result = (.overLimit, nil)
        case "normal": result = (.normalLevel, nil)
        case "all": result = (.all, nil)
        default: throw .bad("The target's “kind” is not known.")
        }
        try members.finish()
        return result
    }
}

extension FilePath {
    /// A path of a body: as text, or, where it is not UTF-8, percent-encoded.
    package init?(text: String?, encoded: String?, needed: Bool) throws(APIError) {
        switch (text, encoded) {
        case (let text?, nil): try self.init(requested: Array(text.utf8))
        case (nil, let encoded?):
            guard let bytes = PercentEncoding.decoded(encoded.utf8) else {
                throw .bad("A path is not percent-encoded as it should be.")
            }
            try self.init(requested: bytes)
        case (nil, nil):
            guard !needed else { throw .bad("No path is named.") }
            return nil
        case (_?, _?): throw .bad("A path is named twice.")
        }
    }
}
