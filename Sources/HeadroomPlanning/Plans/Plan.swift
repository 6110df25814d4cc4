//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomInventory
public import HeadroomPlatform
public import SystemPackage

/// The ordered list of items that reaches a target, each with its reason.
///
/// Refers to its inventory; entries are made when they are asked for.
public struct Plan: Sendable {
    public let inventory: Inventory
    public let request: PlanRequest
    /// What the volumes gain when everything in it goes: hard links counted once, and only if all
    /// of a file's links go.
    public let frees: ByteCount
    /// Whether all targets hold then. Never for a target that speaks of the volume's state when the
    /// request does not say it, see ``Target/needsVolume``.
    public var reachesTarget: Bool {
        missing == .zero && missingInodes == 0 && overLimit.isEmpty
            && (isSaved || !request.lacksVolume)
    }
    /// What is missing to the target when everything that may go is gone.
    public let missing: ByteCount
    public let missingInodes: Int
    /// What stays, by reason.
    public let kept: KeptTotals
    /// Areas that stay over their limit, with the excess.
    public let overLimit: [(area: Area, excess: ByteCount)]

    /// What goes, in order; directories that are left empty come last, children first.
    package let chosen: [Candidate]
    package let sets: [UInt32: [UInt32]]
    /// What each file with several links frees with this plan, by item number.
    let linkedBytes: [UInt32: Int64]
    /// What a saved plan says of its directory units; nil for a fresh plan, whose inventory knows.
    let savedEvidence: [UInt32: (members: Int, sum: UInt64)]?
    /// What a saved plan says that it passes over; nil for a fresh plan.
    let savedObstacles: [PlanObstacle]?
    /// Whether it was read from a file, which does not say what the volume was like.
    let isSaved: Bool

    init(
        inventory: Inventory, request: PlanRequest, list: CandidateList, selection: Selection,
        filter: RequestFilter
    ) {
        var chosen = CacheValues.joined(list.candidates.filter { $0.flags.contains(.selected) })
        // Still in the order of the inventory, which is kinder to the processor's caches.
        let empty = EmptyDirectories.find(in: inventory, after: chosen, list, request, filter)
        CandidateSort.sort(&chosen, tie: selection.tie, device: selection.device)
        CandidateSort.sortLinks(&chosen, inventory)
        var kept = list.kept
        for (code, entry) in Self.countUnchosen(list.candidates) where entry.count > 0 {
            kept.add(code, bytes: entry.bytes, count: entry.count)
        }
        if list.unlisted.count > 0 {
            kept.add(.notNeeded, bytes: list.unlisted.bytes, count: list.unlisted.count)
        }
        let linked = LinkedBytes(inventory: inventory, chosen: chosen)
        var known: Int64 = 0
        for candidate in chosen { known = known.addingClamped(candidate.bytes) }
        var frees = linked.extra
        for candidate in chosen {
            frees = frees.addingClamped(linked.bytes[candidate.number, of: candidate])
        }
        for candidate in empty { frees = frees.addingClamped(candidate.bytes) }
        self.inventory = inventory
        self.request = request
        self.chosen = chosen + empty
        sets = list.sets
        linkedBytes = linked.bytes
        savedEvidence = nil
        savedObstacles = nil
        isSaved = false
        self.frees = ByteCount(frees)
        // Links that go together, and directories that are left empty, may free more than was known
        // while choosing.
        missing = Swift.max(
            .zero, ByteCount(selection.missing) - (ByteCount(frees) - ByteCount(known)))
        missingInodes = Swift.max(0, selection.missingInodes - empty.count)
        self.kept = kept
        overLimit = selection.overLimit.sorted { $0.key < $1.key }.map { area, excess in
            (inventory.areas[Int(area)], ByteCount(excess))
        }
    }
}

extension Plan {

    private static func countUnchosen(
        _ candidates: [Candidate]
    ) -> [(Reason.Code, KeptTotals.Entry)] {
        var notNeeded = KeptTotals.Entry()
        var linkedElsewhere = KeptTotals.Entry()
        for candidate in candidates where !candidate.flags.contains(.selected) {
            if candidate.flags.contains(.linkedElsewhere) {
                linkedElsewhere.add(bytes: 0)
            } else {
                notNeeded.add(bytes: candidate.bytes)
            }
        }
        return [(.notNeeded, notNeeded), (.linkedElsewhere, linkedElsewhere)]
    }
}

extension Plan {
    /// How many names it has that free nothing, since their files have other names, which stay.
    ///
    /// 0 for a plan that was read from a file, which does not say.
    ///
    /// - Complexity: O(entries), and what is below those that are directories.
    public var namesLinkedOutside: Int {
        isSaved ? 0 : LinkedBytes(inventory: inventory, chosen: chosen).outside
    }

    /// What tells whether a directory unit is still what was planned: how many members it has, and
    /// a sum over their fingerprints and places, see ``UnitSurvey/fingerprint(of:in:)``.
    ///
    /// - Complexity: O(members) for a fresh plan, O(1) for one that was read back.
    package func evidence(ofUnit directory: UInt32) -> (members: Int, sum: UInt64) {
        // A unit that a saved plan says nothing of matches nothing.
        if let savedEvidence { return savedEvidence[directory] ?? (0, 0) }
        return UnitSurvey.fingerprint(of: directory, in: inventory)
    }
}

// MARK: - Entries

/// One item of a plan.
public struct PlanEntry: Hashable, Sendable {
    public var path: FilePath
    public var purgeClass: PlannedClass
    public var unit: Unit
    /// What the volume gains by it, as part of its plan.
    public var bytes: ByteCount
    public var lastUse: Timestamp
    public var reason: Reason
    /// The sidecars that go along with a database.
    public var sidecars: [FileName]

    public enum Unit: String, Hashable, Sendable {
        case file
        /// A database with its sidecars.
        case fileSet
        /// A directory with everything below it.
        case directory
        /// A directory that the plan leaves empty.
        case emptyDirectory
        /// A directory that an interrupted purge was about to remove.
        case leftover
        /// Values of a cache store, whose directory the path is: those that are worth least.
        case cacheValues
    }
}

extension Plan: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { chosen.count }

    /// Makes an entry.
    ///
    /// - Complexity: O(depth of the path).
    public subscript(index: Int) -> PlanEntry {
        let candidate = chosen[index]
        let isItem = candidate.kind == .file || candidate.kind == .fileSet
        return PlanEntry(
            path: isItem
                ? inventory.path(ofItem: candidate.number)
                : inventory.path(ofDirectory: candidate.number),
            purgeClass: candidate.plannedClass,
            unit: candidate.isLeftover(in: inventory)
                ? .leftover : PlanEntry.Unit(candidate.kind),
            bytes: bytes(of: candidate),
            lastUse: Timestamp(seconds: Int64(OrderKey.time(of: candidate.key))),
            reason: reason(for: candidate),
            sidecars: sidecars(of: candidate))
    }

    /// Only files have sidecars: the number of a directory may be that of some file.
    private func sidecars(of candidate: Candidate) -> [FileName] {
        guard candidate.kind == .fileSet else { return [] }
        return (sets[candidate.number] ?? []).dropFirst().map { inventory.name(ofItem: $0).owned }
    }

    /// What the volume gains by an item as part of this plan.
    func bytes(of candidate: Candidate) -> ByteCount {
        ByteCount(linkedBytes[candidate.number, of: candidate])
    }

    private func reason(for candidate: Candidate) -> Reason {
        let area = inventory.areas[Int(candidate.area)]
        let name = candidate.plannedClass.spokenName
        let age = request.now.duration(
            since: Timestamp(seconds: Int64(OrderKey.time(of: candidate.key))))
        let unused =
            area.isTrash
            ? "thrown away \(age.inWords) ago"
            : area.order == .oldestCreated
                ? "created \(age.inWords) ago" : "unused for \(age.inWords)"
        if candidate.kind == .cacheValues { return reason(forValues: candidate, name) }
        switch reasonCode(of: candidate) {
        case .leftEmpty: return Reason(.leftEmpty, "left empty by this plan")
        case .interruptedPurge:
            return Reason(.interruptedPurge, "\(name), left over from an interrupted purge")
        case .expired:
            let kept = area.retention.map { ", kept for \($0.inWords)" } ?? ""
            return Reason(.expired, "\(name)\(kept), \(unused)")
        case .olderThan:
            return Reason(.olderThan, "\(name), \(spokenAge(of: candidate) ?? unused)")
        case .overLimit:
            let limit = area.limit.map { "its \($0)" } ?? "its limit"
            return Reason(.overLimit, "\(name), its area is over \(limit), \(unused)")
        case let code: return Reason(code, "\(name), \(unused)")
        }
    }

    /// What the reason's code is, without its words.
    func reasonCode(of candidate: Candidate) -> Reason.Code {
        let area = inventory.areas[Int(candidate.area)]
        if candidate.kind == .emptyDirectory { return .leftEmpty }
        if candidate.kind == .cacheValues { return reason(forValues: candidate, "").code }
        if candidate.isLeftover(in: inventory) { return .interruptedPurge }
        if candidate.flags.contains(.expired), area.retention != nil { return .expired }
        if candidate.flags.contains(.oldEnough) { return .olderThan }
        if candidate.flags.contains(.overLimit), area.limit != nil { return .overLimit }
        return request.targets.contains(.all) ? .all : .inOrder
    }
}

extension Plan {
    /// The age by which something was chosen, where that is not its last use; nil else, and where
    /// it is not known.
    private func spokenAge(of candidate: Candidate) -> String? {
        guard candidate.kind == .file || candidate.kind == .fileSet,
            !inventory.areas[Int(candidate.area)].isTrash
        else { return nil }
        let items =
            (candidate.kind == .file ? [candidate.number] : sets[candidate.number] ?? [])
            .map(inventory.item)
        for case .olderThan(let least, let basis) in request.targets {
            let time: UInt32?
            switch basis {
            case .used: time = OrderKey.time(of: candidate.key)
            case .modified: time = items.map(\.modified).max()
            case .created: time = items.map(\.created).max()
            }
            guard let time, time > 0 else { continue }
            let age = request.now.duration(since: Timestamp(seconds: Int64(time)))
            guard age >= least else { continue }
            switch basis {
            case .used: return nil
            case .modified: return "modified \(age.inWords) ago"
            case .created: return "created \(age.inWords) ago"
            }
        }
        return nil
    }
}

extension PlanEntry.Unit {
    init(_ kind: Candidate.Kind) {
        switch kind {
        case .file: self = .file
        case .fileSet: self = .fileSet
        case .directory: self = .directory
        case .emptyDirectory: self = .emptyDirectory
        case .cacheValues: self = .cacheValues
        }
    }
}

extension PurgeableClass {
    /// The class within a sentence.
    public var spokenName: String {
        switch self {
        case .temporary: "temporary"
        case .cache: "cache"
        case .lastResort: "last resort"
        }
    }
}
