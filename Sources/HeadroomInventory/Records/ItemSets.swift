//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// The files of one directory that belong together by their names: a database with the sidecars that lie beside it, or
/// the parts of a model or data set (``ShardName``).
///
/// Names alone let nothing go: see ``Inventory/mark(ofSet:in:isDatabase:)``.
package struct ItemSets {
    /// Main item → all items, the main one first, then in the order in which they go.
    package private(set) var members: [UInt32: [UInt32]] = [:]
    private var mains: [UInt32: UInt32] = [:]

    /// Finds them; a directory without a name that ends like a sidecar's or a part's costs nothing.
    ///
    /// - Returns: nil if there are none.
    package init?(_ inventory: Inventory, directory: UInt32) {
        addDatabases(inventory, directory)
        if inventory.directories[Int(directory)].flags.contains(.hasShards) {
            addShards(inventory, directory)
        }
        if members.isEmpty { return nil }
    }

    /// A sidecar without its database is an ordinary file.
    private mutating func addDatabases(_ inventory: Inventory, _ directory: UInt32) {
        var sidecars: [[UInt8]: [(order: UInt8, item: UInt32)]] = [:]
        var lengths: Set<Int> = []
        inventory.forEachRecord(of: directory) { id, item in
            guard item.flags.contains(.looksLikeSidecar), let sidecar = inventory.sidecar(id)
            else { return }
            sidecars[sidecar.main, default: []].append((sidecar.kind.rawValue, id))
            lengths.insert(sidecar.main.count)
        }
        guard !sidecars.isEmpty else { return }
        var found: [[UInt8]: UInt32] = [:]
        inventory.forEachRecord(of: directory) { id, item in
            let name = inventory.name(ofItem: id)
            guard item.type == .regular, lengths.contains(name.count) else { return }
            let bytes = name.owned.bytes
            if sidecars[bytes] != nil { found[bytes] = id }
        }
        for name in found.keys.sorted(by: { $0.count < $1.count }) {
            guard let item = found[name], let beside = sidecars[name] else { continue }
            // A database that looks like a sidecar of another one belongs to that one's set.
            let main = mains[item] ?? item
            members[main, default: [item]] += beside.sorted { $0 < $1 }.map(\.item)
            for member in members[main] ?? [] { mains[member] = main }
        }
    }

    /// A single part is an ordinary file.
    private mutating func addShards(_ inventory: Inventory, _ directory: UInt32) {
        var parts: [[UInt8]: [(name: [UInt8], item: UInt32)]] = [:]
        inventory.forEachRecord(of: directory) { id, item in
            let name = inventory.name(ofItem: id)
            guard mains[id] == nil, item.type == .regular || item.type == .symbolicLink,
                let shard = ShardName(name)
            else { return }
            parts[shard.whole, default: []].append((name.owned.bytes, id))
        }
        for group in parts.values where group.count > 1 {
            let items = group.sorted { $0.name.lexicographicallyPrecedes($1.name) }.map(\.item)
            members[items[0]] = items
            for item in items { mains[item] = items[0] }
        }
    }

    package func main(of item: UInt32) -> UInt32? { mains[item] }
}
