//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomInventory
import HeadroomPlatform

extension Plan {
    /// The same plan without some entries: what a person has taken out of it.
    ///
    /// Nothing comes in their place. What would make no sense without them is left out with them, see
    /// ``entriesStaying(with:)``; ``frees`` is what the rest frees. Targets that count are missed by what
    /// is lost; those that name items, such as everything expired, are met by the rest: whoever asked
    /// has taken the exceptions out. ``kept`` counts them as `Reason.Code.notSelected`.
    ///
    /// - Parameter entries: indices of the plan.
    /// - Throws: `refused` for a plan that was read from a file, which does not say what is in units.
    /// - Complexity: as making the plan's figures: O(entries, members of units with several links).
    public func leavingOut(_ entries: Set<Int>) throws(HeadroomError) -> Plan {
        guard !isSaved else {
            throw HeadroomError(
                .refused, "A plan from a file goes as it is, or not at all. Make a new one.")
        }
        let staying = entriesStaying(with: entries)
        return staying.isEmpty ? self : Plan(self, without: staying)
    }

    /// The entries that stay if some are to: with a name of a file its other names in the plan, since only
    /// all together free anything, and with anything the directories around that the plan would have left
    /// empty. What goes as a unit is one entry, and stays whole.
    ///
    /// - Parameter entries: indices of the plan.
    /// - Returns: those, and what stays with them.
    /// - Complexity: O(entries).
    public func entriesStaying(with entries: Set<Int>) -> Set<Int> {
        precondition(
            entries.allSatisfy(indices.contains), "an entry is named that the plan does not have")
        guard !entries.isEmpty else { return [] }
        var staying = entries
        keepLinks(of: &staying)
        keepDirectories(around: &staying)
        return staying
    }

    private func keepLinks(of staying: inout Set<Int>) {
        var kept: Set<FileIdentity> = []
        for index in staying where isOfLinkGroup(chosen[index]) {
            kept.insert(inventory.identity(ofItem: chosen[index].number))
        }
        guard !kept.isEmpty else { return }
        for (index, candidate) in chosen.enumerated() where isOfLinkGroup(candidate) {
            if kept.contains(inventory.identity(ofItem: candidate.number)) { staying.insert(index) }
        }
    }

    private func isOfLinkGroup(_ candidate: Candidate) -> Bool {
        candidate.kind == .file && candidate.flags.contains(.linkGroup)
    }

    private func keepDirectories(around staying: inout Set<Int>) {
        guard chosen.last?.kind == .emptyDirectory else { return }
        var holding: Set<UInt32> = []
        for index in staying {
            let candidate = chosen[index]
            var directory =
                candidate.isItem
                ? inventory.item(candidate.number).parent
                : inventory.directories[Int(candidate.number)].parent
            while directory != DirectoryRecord.none, holding.insert(directory).inserted {
                directory = inventory.directories[Int(directory)].parent
            }
        }
        for index in chosen.indices.reversed() {
            guard chosen[index].kind == .emptyDirectory else { return }
            if holding.contains(chosen[index].number) { staying.insert(index) }
        }
    }

    /// - Parameter staying: with all that stays with them.
    private init(_ plan: Plan, without staying: Set<Int>) {
        var chosen: [Candidate] = []
        chosen.reserveCapacity(plan.chosen.count - staying.count)
        var kept = plan.kept
        var lostInodes = 0
        for (index, candidate) in plan.chosen.enumerated() {
            guard staying.contains(index) else {
                chosen.append(candidate)
                continue
            }
            if candidate.kind != .emptyDirectory {
                kept.add(.notSelected, bytes: plan.bytes(of: candidate).bytes)
            }
            lostInodes += plan.inodes(of: candidate)
        }
        let items = chosen.prefix { $0.kind != .emptyDirectory }
        let linked = LinkedBytes(inventory: plan.inventory, chosen: Array(items))
        var frees = linked.extra
        for candidate in items {
            frees = frees.addingClamped(linked.bytes[candidate.number, of: candidate])
        }
        for candidate in chosen[items.endIndex...] {
            frees = frees.addingClamped(candidate.bytes)
        }
        inventory = plan.inventory
        request = plan.request
        self.chosen = chosen
        sets = plan.sets
        linkedBytes = linked.bytes
        savedEvidence = nil
        savedObstacles = nil
        isSaved = false
        self.frees = ByteCount(frees)
        self.kept = kept
        overLimit = plan.overLimit
        missing = plan.missing(without: plan.frees - ByteCount(frees))
        // How many more than were asked for it had is not known: rather too many are missing.
        missingInodes =
            plan.request.wantedInodes > 0 ? plan.missingInodes + lostInodes : plan.missingInodes
    }

    private func missing(without lost: ByteCount) -> ByteCount {
        let wanted = ByteCount(request.wantedBytes)
        guard wanted > .zero else { return missing }
        // What goes by its name may lie on other volumes, and need not count.
        guard !request.targets.contains(where: \.namesItems) else { return missing + lost }
        return Swift.max(missing, Swift.min(missing + lost, wanted - (frees - lost)))
    }

    private func inodes(of candidate: Candidate) -> Int {
        switch candidate.kind {
        case .file, .emptyDirectory: 1
        case .fileSet: sets[candidate.number]?.count ?? 1
        case .cacheValues: 0
        case .directory:
            inventory.directories[Int(candidate.number)].totals.files
                + inventory.directories[Int(candidate.number)].totals.directories + 1
        }
    }
}
