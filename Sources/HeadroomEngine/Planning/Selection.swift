//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// Marks the candidates that go.
///
/// Targets that name items (expired, an age, a limit, all) select first; targets that count bytes
/// or inodes then take the next in order until all of them hold.
struct Selection {
    private let inventory: Inventory
    private let request: PlanRequest
    private let usage: AreaUsage

    /// Bytes still missing for the largest target that counts bytes.
    private(set) var missing: Int64 = 0
    private(set) var missingInodes = 0
    /// Areas that cannot be shrunk far enough, with what is missing.
    private(set) var overLimit: [UInt16: Int64] = [:]

    init(inventory: Inventory, request: PlanRequest, usage: AreaUsage) {
        self.inventory = inventory
        self.request = request
        self.usage = usage
    }

    mutating func run(_ list: inout CandidateList) {
        keepLaterClasses(&list)
        let wanted = wantedBytes
        let inodes = wantedInodes
        selectNamed(&list.candidates)
        for target in request.targets {
            switch target {
            case .overLimit:
                for (index, area) in inventory.areas.enumerated() {
                    if let limit = area.limit {
                        shrink(UInt16(index), to: limit.bytes, &list.candidates)
                    }
                }
            case .toLimit(let limit):
                for index in inventory.areas.indices {
                    shrink(UInt16(index), to: limit.bytes, &list.candidates)
                }
            default: break
            }
        }
        completeGroups(&list.candidates)
        if wanted > 0 || inodes > 0 {
            fill(&list.candidates, bytes: wanted, inodes: inodes)
            completeGroups(&list.candidates)
        }
    }

    /// Takes out what this request may not spend.
    private func keepLaterClasses(_ list: inout CandidateList) {
        let limit = request.through.rank.rawValue
        guard limit < Candidate.Key.Rank.lastResort.rawValue else { return }
        var kept = KeptTotals.Entry()
        list.candidates.removeAll { candidate in
            guard Candidate.Key.rank(of: candidate.key) > limit else { return false }
            kept.count += 1
            kept.bytes += candidate.bytes
            return true
        }
        if kept.count > 0 {
            list.kept.add(.classNotAllowed, bytes: kept.bytes, count: kept.count)
        }
    }

    // MARK: - Targets that name items

    private func selectNamed(_ candidates: inout [Candidate]) {
        let takesAll = request.targets.contains(.all)
        let takesExpired = request.targets.contains(.expired)
        let takesOld = request.targets.contains { target in
            if case .olderThan = target { return true }
            return false
        }
        guard takesAll || takesExpired || takesOld else { return }
        for index in candidates.indices {
            let flags = candidates[index].flags
            if takesAll || (takesExpired && flags.contains(.expired))
                || (takesOld && flags.contains(.oldEnough))
            {
                candidates[index].flags.insert(.selected)
            }
        }
    }

    /// Selects of one area, in its order, until it is within a size.
    private mutating func shrink(_ area: UInt16, to limit: Int64, _ candidates: inout [Candidate]) {
        var excess = usage.allocated[Int(area)] - limit
        guard excess > 0 else { return }
        var own: [Int] = []
        for index in candidates.indices where candidates[index].area == area {
            if candidates[index].flags.contains(.selected) {
                excess -= candidates[index].bytes
            } else if !candidates[index].flags.contains(.linkedElsewhere) {
                own.append(index)
            }
        }
        own.sort { isBefore(candidates[$0], candidates[$1]) }
        for index in own {
            guard excess > 0 else { break }
            candidates[index].flags.insert(.selected)
            excess -= candidates[index].bytes
        }
        if excess > 0 { overLimit[area] = excess }
    }

    /// A file whose links all go takes its other links along.
    private func completeGroups(_ candidates: inout [Candidate]) {
        var chosen: Set<FileIdentity> = []
        var dropped: Set<FileIdentity> = []
        for candidate in candidates where candidate.flags.contains(.linkGroup) {
            let identity = inventory.identity(ofItem: candidate.number)
            if candidate.flags.contains(.selected) {
                chosen.insert(identity)
            } else {
                dropped.insert(identity)
            }
        }
        let torn = chosen.intersection(dropped)
        guard !torn.isEmpty else { return }
        // An age or an expiry may hold for one link and not for another only if their areas
        // differ: then the stricter one counts and none goes by that rule.
        let byRule = request.targets.allSatisfy { $0.namesItems }
        for index in candidates.indices where candidates[index].flags.contains(.linkGroup) {
            if torn.contains(inventory.identity(ofItem: candidates[index].number)) {
                if byRule {
                    candidates[index].flags.remove(.selected)
                } else {
                    candidates[index].flags.insert(.selected)
                }
            }
        }
    }

    // MARK: - Targets that count

    private var wantedBytes: Int64 {
        var wanted: Int64 = 0
        for target in request.targets {
            switch target {
            case .free(let bytes): wanted = max(wanted, bytes.bytes)
            case .available(let bytes):
                wanted = max(wanted, bytes.bytes - (request.volume?.available.bytes ?? 0))
            case .availableShare(let points):
                let total = request.volume?.total.bytes ?? 0
                let share = total / 10_000 * Int64(points) + total % 10_000 * Int64(points) / 10_000
                wanted = max(wanted, share - (request.volume?.available.bytes ?? 0))
            case .normalLevel:
                if let volume = request.volume {
                    wanted = max(wanted, (volume.normalFrom - volume.available).bytes)
                }
            case .toLimit, .overLimit, .expired, .olderThan, .inodes, .all: break
            }
        }
        return wanted
    }

    private var wantedInodes: Int {
        request.targets.reduce(0) { most, target in
            if case .inodes(let count) = target { return max(most, count) }
            return most
        }
    }

    /// Selects in order until the bytes and inodes are reached: finds the key up to which
    /// everything goes by counting in ever finer steps, and sorts only what shares the last step.
    private mutating func fill(_ candidates: inout [Candidate], bytes: Int64, inodes: Int) {
        var need = Need(bytes: bytes, inodes: inodes)
        for candidate in candidates where candidate.flags.contains(.selected) {
            need.take(candidate, inodesOf(candidate))
        }
        guard !need.isMet else { return }
        var low: UInt64 = 0
        var mask: UInt64 = 0
        for shift in [52, 40, 28, 20, 8] as [UInt64] {
            let step = Histogram(candidates, low: low, mask: mask, shift: shift) { inodesOf($0) }
            guard let bucket = step.boundary(&need) else {
                // Everything goes and it is still not enough.
                select(&candidates) { $0.key & mask == low }
                missing = need.bytes
                missingInodes = need.inodes
                return
            }
            let start = low | bucket << shift
            select(&candidates) { $0.key & mask == low && $0.key < start }
            low = start
            mask = ~((1 << shift) - 1)
            if step.count(of: bucket) <= 4096 { break }
        }
        takeFromLast(&candidates, low: low, mask: mask, &need)
    }

    private mutating func takeFromLast(
        _ candidates: inout [Candidate], low: UInt64, mask: UInt64, _ need: inout Need
    ) {
        var last: [Int] = []
        for index in candidates.indices
        where candidates[index].key & mask == low && isOpen(candidates[index]) {
            last.append(index)
        }
        last.sort { isBefore(candidates[$0], candidates[$1]) }
        for index in last {
            guard !need.isMet else { return }
            candidates[index].flags.insert(.selected)
            need.take(candidates[index], inodesOf(candidates[index]))
        }
        missing = max(0, need.bytes)
        missingInodes = max(0, need.inodes)
    }

    /// What is still wanted.
    struct Need {
        var bytes: Int64
        var inodes: Int

        var isMet: Bool { bytes <= 0 && inodes <= 0 }

        mutating func take(_ candidate: Candidate, _ count: Int) {
            guard !candidate.flags.contains(.otherVolume) else { return }
            bytes -= candidate.bytes
            inodes -= count
        }
    }

    /// Whether a candidate can still be taken to reach a count: it frees something, and here.
    @inline(__always)
    private func isOpen(_ candidate: Candidate) -> Bool {
        candidate.flags.isDisjoint(with: [.selected, .linkedElsewhere, .otherVolume])
    }

    private func select(_ candidates: inout [Candidate], where matches: (Candidate) -> Bool) {
        for index in candidates.indices
        where isOpen(candidates[index]) && matches(candidates[index]) {
            candidates[index].flags.insert(.selected)
        }
    }

    private func inodesOf(_ candidate: Candidate) -> Int {
        guard request.targets.contains(where: \.countsInodes) else { return 0 }
        switch candidate.kind {
        case .file, .emptyDirectory: return candidate.bytes == 0 && isSecondLink(candidate) ? 0 : 1
        case .fileSet: return 1
        case .directory:
            let totals = inventory.directories[Int(candidate.number)].totals
            return totals.files + totals.directories + 1
        }
    }

    private func isSecondLink(_ candidate: Candidate) -> Bool {
        candidate.flags.contains(.linkGroup)
            && inventory.item(candidate.number).flags.contains(.countedElsewhere)
    }

    /// The purge order: by key, then larger first, then by inode number, so that the same tree
    /// gives the same plan.
    func isBefore(_ left: Candidate, _ right: Candidate) -> Bool {
        if left.key != right.key { return left.key < right.key }
        if left.bytes != right.bytes { return left.bytes > right.bytes }
        return inode(left) < inode(right)
    }

    private func inode(_ candidate: Candidate) -> UInt64 {
        switch candidate.kind {
        case .file, .fileSet: inventory.item(candidate.number).inode
        case .directory, .emptyDirectory:
            inventory.directories[Int(candidate.number)].identity.inode
        }
    }
}

/// Bytes and inodes of the candidates that share a prefix, by the next bits of their keys.
private struct Histogram {
    private var bytes: [Int64]
    private var inodes: [Int]
    private var counts: [Int]

    init(
        _ candidates: [Candidate], low: UInt64, mask: UInt64, shift: UInt64,
        inodesOf: (Candidate) -> Int
    ) {
        // As many bits as the mask does not fix yet, above the shift: at most 4,096 buckets.
        let size = 1 << 12
        bytes = Array(repeating: 0, count: size)
        inodes = Array(repeating: 0, count: size)
        counts = Array(repeating: 0, count: size)
        for candidate in candidates where candidate.key & mask == low {
            guard candidate.flags.isDisjoint(with: [.selected, .linkedElsewhere, .otherVolume])
            else { continue }
            let bucket = Int((candidate.key & ~mask) >> shift)
            bytes[bucket] &+= candidate.bytes
            inodes[bucket] &+= inodesOf(candidate)
            counts[bucket] &+= 1
        }
    }

    /// Takes whole buckets in order while the need is not met.
    ///
    /// - Returns: the bucket within which it is met; nil if all together do not.
    func boundary(_ need: inout Selection.Need) -> UInt64? {
        for bucket in bytes.indices {
            if need.bytes <= bytes[bucket], need.inodes <= inodes[bucket], counts[bucket] > 0 {
                return UInt64(bucket)
            }
            need.bytes -= bytes[bucket]
            need.inodes -= inodes[bucket]
        }
        return nil
    }

    func count(of bucket: UInt64) -> Int { counts[Int(bucket)] }
}

extension Target {
    /// Whether it names items, rather than counting what they free.
    var namesItems: Bool {
        switch self {
        case .toLimit, .overLimit, .expired, .olderThan, .all: true
        case .free, .available, .availableShare, .normalLevel, .inodes: false
        }
    }

    var countsInodes: Bool {
        if case .inodes = self { return true }
        return false
    }
}
