//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomInventory
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
        /// All but what patterns name.
        case sparing(EntryExclusions)
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
    /// By directory: it stays with all that is in it.
    private var isSpared: [Bool] = []
    private let now: Timestamp

    init(_ choice: EntryChoice, _ inventory: Inventory, now: Timestamp) {
        self.inventory = inventory
        self.now = now
        rules = inventory.areas.map { choice.rules[$0.root] }
        var times: [UInt16: UInt32] = [:]
        for (number, record) in inventory.directories.enumerated()
        where rule(of: record) == .allButNewest {
            inventory.forEachRecord(of: UInt32(number)) { id, item in
                guard item.modified >= times[record.area] ?? 0 else { return }
                times[record.area] = item.modified
                newest[record.area] = id
            }
        }
        isSpared = Array(repeating: false, count: inventory.directories.count)
        // Parents have smaller numbers than their children.
        for (number, record) in inventory.directories.enumerated()
        where record.parent != DirectoryRecord.none && !record.flags.contains(.areaRoot) {
            isSpared[number] =
                isSpared[Int(record.parent)] || answer(forDirectory: UInt32(number)) == .whole
        }
    }

    /// - Parameter members: the items that go together, of a database more than one; none of a directory.
    ///   What keeps one of them keeps all.
    func takes(_ candidate: Candidate, _ members: [UInt32]) -> Bool {
        // What an interrupted purge has left was decided on before.
        if candidate.flags.contains(.selected) { return true }
        switch rules[Int(candidate.area)] {
        case nil: return false
        case .all: return true
        case .allButNewest:
            return !members.contains { newest[candidate.area] == $0 }
        case .sparing:
            guard candidate.isItem else { return takes(directory: candidate.number) }
            let parent = inventory.item(candidate.number).parent
            // mutation: r40b-1
            return !isSpared[Int(parent)] && members.allSatisfy { answer(forItem: $0) == .free }
        case .named(let patterns):
            let (parent, name) = place(of: candidate)
            guard parent != DirectoryRecord.none else { return false }
            let names = candidate.isItem ? members.map { inventory.name(ofItem: $0).owned } : [name]
            return inventory.directories[Int(parent)].flags.contains(.areaRoot)
                && names.allSatisfy { name in patterns.contains { $0.matches(name) } }
        }
    }

    /// Whether a directory may go when it is empty.
    func takes(directory number: UInt32) -> Bool {
        let record = inventory.directories[Int(number)]
        switch rule(of: record) {
        case nil, .named: return false
        case .all, .allButNewest: return true
        case .sparing(let exclusions):
            guard !isSpared[Int(number)], answer(forDirectory: number) == .free,
                let cutoff = AgeCutoffs.cutoff(now, exclusions.retention)
            else { return false }
            // Its own age counts, too, as it was before it was emptied.
            return max(record.modified, record.created) <= cutoff
        }
    }

    /// Whether a directory that was empty before goes by its age.
    func expires(directory number: UInt32) -> Bool {
        guard case .sparing = rule(of: inventory.directories[Int(number)]) else { return false }
        return takes(directory: number)
    }

    private func rule(of record: DirectoryRecord) -> EntryChoice.Rule? {
        record.area == DirectoryRecord.noArea ? nil : rules[Int(record.area)]
    }

    private func answer(forDirectory number: UInt32) -> EntryExclusions.Answer {
        guard case .sparing(let exclusions) = rule(of: inventory.directories[Int(number)])
        else { return .free }
        return exclusions.answer(for: names(ofDirectory: number))
    }

    private func answer(forItem number: UInt32) -> EntryExclusions.Answer {
        let parent = inventory.item(number).parent
        guard case .sparing(let exclusions) = rule(of: inventory.directories[Int(parent)])
        else { return .free }
        return exclusions.answer(
            for: names(ofDirectory: parent) + [inventory.name(ofItem: number).owned])
    }

    /// The names from the root of its area on.
    private func names(ofDirectory number: UInt32) -> [FileName] {
        var names: [FileName] = []
        var current = number
        while true {
            let record = inventory.directories[Int(current)]
            if record.flags.contains(.areaRoot) || record.parent == DirectoryRecord.none { break }
            names.append(record.name.withEntryName { $0.owned })
            current = record.parent
        }
        return names.reversed()
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
