//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
package import SystemPackage

/// Which entries of some areas a request is about, by their names. Of all other areas nothing goes.
package struct EntryChoice: Sendable {
    package enum Rule: Hashable, Sendable {
        /// Direct children of the area with such a name.
        case named([LeftoverPattern])
        /// All that is in it.
        case all
        /// All but the file that was modified last.
        case allButNewest
    }

    /// By the root of their area.
    package var rules: [FilePath: Rule]

    package init(_ rules: [FilePath: Rule]) {
        self.rules = rules
    }
}

/// Takes out of a list what a request is not about.
struct EntryFilter {
    private let inventory: Inventory
    /// By area.
    private let rules: [EntryChoice.Rule?]
    /// The file that was modified last, of areas that keep it.
    private var newest: [UInt16: UInt32] = [:]

    init(_ choice: EntryChoice, _ inventory: Inventory) {
        self.inventory = inventory
        rules = inventory.areas.map { choice.rules[$0.root] }
        var times: [UInt16: UInt32] = [:]
        for (number, record) in inventory.directories.enumerated()
        where record.area != DirectoryRecord.noArea && rules[Int(record.area)] == .allButNewest {
            inventory.forEachRecord(of: UInt32(number)) { id, item in
                guard item.modified >= times[record.area] ?? 0 else { return }
                times[record.area] = item.modified
                newest[record.area] = id
            }
        }
    }

    func takes(_ candidate: Candidate) -> Bool {
        // What an interrupted purge has left was decided on before.
        if candidate.flags.contains(.selected) { return true }
        switch rules[Int(candidate.area)] {
        case nil: return false
        case .all: return true
        case .allButNewest:
            return !candidate.isItem || newest[candidate.area] != candidate.number
        case .named(let patterns):
            let (parent, name) = place(of: candidate)
            guard parent != DirectoryRecord.none else { return false }
            let record = inventory.directories[Int(parent)]
            return record.flags.contains(.areaRoot) && record.area == candidate.area
                && patterns.contains { $0.matches(name) }
        }
    }

    private func place(of candidate: Candidate) -> (parent: UInt32, name: FileName) {
        if candidate.isItem {
            return (
                inventory.item(candidate.number).parent,
                inventory.name(ofItem: candidate.number).owned
            )
        }
        let record = inventory.directories[Int(candidate.number)]
        return (record.parent, record.name.withEntryName { $0.owned })
    }
}

extension Reason.Code {
    /// Not what the request is about.
    public static let notAsked = Reason.Code("not-asked")
}
