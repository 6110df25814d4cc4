//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform

/// Marks the candidates that go.
///
/// Targets that name items (expired, an age, a limit, all) select first; targets that count bytes
/// or inodes then take the next in order until all of them hold.
struct Selection {
    private let inventory: Inventory
    private let request: PlanRequest
    private let usage: AreaUsage
    private let filter: RequestFilter
    private let countsInodes: Bool
    /// Bytes are wanted as well as inodes, of which values of cache stores give none.
    private let countsBytes: Bool

    /// Bytes still missing for the largest target that counts bytes.
    private(set) var missing: Int64 = 0
    private(set) var missingInodes = 0
    /// Areas that cannot be shrunk far enough, with what is missing.
    private(set) var overLimit: [UInt16: Int64] = [:]
    private var unitInodes: [UInt32: Int] = [:]
    private var sets: [UInt32: [UInt32]] = [:]

    init(inventory: Inventory, request: PlanRequest, usage: AreaUsage, filter: RequestFilter) {
        self.inventory = inventory
        self.request = request
        self.usage = usage
        self.filter = filter
        countsInodes = request.targets.contains(where: \.countsInodes)
        countsBytes = request.targets.contains { !$0.namesItems && !$0.countsInodes }
    }

    mutating func run(_ list: inout CandidateList) {
        unitInodes = list.unitInodes
        sets = list.sets
        filter.applyChoice(to: &list)
        keepLaterClasses(&list)
        filter.applySparing(to: &list)
        list.breakIncompleteGroups(inventory)
        selectNamed(&list.candidates)
        var shrinking = AreaShrinking(inventory, request, usage)
        shrinking.run(&list.candidates, selection: self)
        overLimit = shrinking.excess
        fill(&list.candidates, Need(bytes: request.wantedBytes, inodes: request.wantedInodes))
        completeGroups(&list.candidates)
        // mutation: r45c-1
        leaveOutUnprofitable(&list.candidates)
    }

    /// Takes out what this request may not spend.
    private func keepLaterClasses(_ list: inout CandidateList) {
        let last = request.through.rank
        let limit = (request.spendsOlderTrash ? max(last, .olderTrash) : last).rawValue
        let sparesCaches = request.sparesLiveCaches
        guard sparesCaches || limit < OrderKey.Rank.lastResort.rawValue else { return }
        list.remove(as: .classNotAllowed) { candidate in
            let rank = OrderKey.rank(of: candidate.key)
            let isSpared =
                sparesCaches && rank == OrderKey.Rank.cache.rawValue
                && candidate.flags.isDisjoint(with: [.expired, .overLimit])
            return rank > limit || isSpared
        }
    }

    private func selectNamed(_ candidates: inout [Candidate]) {
        let takesAll = request.targets.contains(.all)
        var rules: Candidate.Flags = []
        if request.targets.contains(.expired) { rules.insert(.expired) }
        if request.targets.contains(where: \.isAge) { rules.insert(.oldEnough) }
        guard takesAll || !rules.isEmpty else { return }
        for index in candidates.indices
        where takesAll || !candidates[index].flags.isDisjoint(with: rules) {
            candidates[index].flags.insert(.selected)
        }
    }

    /// A file whose links all go takes its other links along: only then are its bytes freed.
    ///
    /// Rules hold for a whole group or not at all, and a count is reached by a group's leader: so
    /// one member that is selected selects all.
    private func completeGroups(_ candidates: inout [Candidate]) {
        var chosen: Set<FileIdentity> = []
        for candidate in candidates
        where candidate.flags.isSuperset(of: [.linkGroup, .selected]) {
            chosen.insert(inventory.identity(ofItem: candidate.number))
        }
        guard !chosen.isEmpty else { return }
        for index in candidates.indices
        where candidates[index].flags.contains(.linkGroup)
            && chosen.contains(inventory.identity(ofItem: candidates[index].number))
        {
            candidates[index].flags.insert(.selected)
        }
    }

    /// Leaves out files whose deletion frees nothing, because they have hard links that the plan keeps.
    ///
    /// Files that a person or a directory's own rule has named are deleted all the same, and so is trash:
    /// there the aim is to delete the file, even if that frees nothing.
    private func leaveOutUnprofitable(_ candidates: inout [Candidate]) {
        guard !request.includesUnprofitable, request.selection == nil, request.entries == nil else {
            return
        }
        let suspects = candidates.indices.filter { index in
            candidates[index].flags.isSuperset(of: [.linkedElsewhere, .selected])
                && candidates[index].kind == .file && candidates[index].plannedClass != .trash
        }
        guard !suspects.isEmpty else { return }
        // A file's other links may be in directories that the plan deletes whole.
        var linkCounts: [FileIdentity: UInt32] = [:]
        for index in suspects {
            linkCounts[inventory.identity(ofItem: candidates[index].number), default: 0] += 1
        }
        for candidate in candidates
        where candidate.kind == .directory && candidate.flags.contains(.selected) {
            inventory.forEachDirectory(below: candidate.number) { directory in
                inventory.forEachItem(of: directory) { id in
                    guard inventory.item(id).linkCount > 1 else { return }
                    let identity = inventory.identity(ofItem: id)
                    if linkCounts[identity] != nil { linkCounts[identity, default: 0] += 1 }
                }
            }
        }
        for index in suspects {
            let number = candidates[index].number
            let linkCount = inventory.item(number).linkCount
            guard
                linkCount == .max
                    || linkCounts[inventory.identity(ofItem: number)] != UInt32(linkCount)
            else { continue }
            candidates[index].flags.remove(.selected)
        }
    }

    // MARK: - Targets that count

    /// Selects in order until the bytes and inodes are reached: finds the key up to which
    /// everything goes by counting in ever finer steps, and sorts only what shares the last step.
    private mutating func fill(_ candidates: inout [Candidate], _ wanted: Need) {
        var need = wanted
        guard !need.isMet else { return }
        // mutation: r16b-1 (3 lines)
        for candidate in candidates where candidate.flags.contains(.selected) {
            need.take(candidate, inodesOf(candidate))
        }
        var low: UInt64 = 0
        var mask: UInt64 = 0
        for shift in [52, 40, 28, 20, 8] as [UInt64] where !need.isMet {
            var step = Histogram()
            for candidate in candidates where candidate.key & mask == low && isOpen(candidate) {
                let bucket = Int((candidate.key & ~mask) >> shift)
                step.add(candidate.bytes, inodesOf(candidate), to: bucket)
            }
            guard let bucket = step.boundary(&need) else {
                // Everything goes and it is still not enough.
                select(&candidates) { $0 & mask == low }
                break
            }
            let start = low | UInt64(bucket) << shift
            select(&candidates) { $0 & mask == low && $0 < start }
            low = start
            mask = ~((1 << shift) - 1)
            if step.count(of: bucket) <= 4096 { break }
        }
        takeFromLast(&candidates, low: low, mask: mask, &need)
        missing = need.bytes
        missingInodes = need.inodes
    }

    private func takeFromLast(
        _ candidates: inout [Candidate], low: UInt64, mask: UInt64, _ need: inout Need
    ) {
        guard !need.isMet else { return }
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
    }

    /// What is still wanted; never less than nothing.
    struct Need {
        var bytes: Int64
        var inodes: Int

        var isMet: Bool { bytes <= 0 && inodes <= 0 }

        mutating func take(_ candidate: Candidate, _ count: Int) {
            if !candidate.flags.contains(.otherVolume) { take(candidate.bytes, count) }
        }

        mutating func take(_ bytes: Int64, _ count: Int) {
            self.bytes = max(0, self.bytes - min(bytes, self.bytes))
            inodes = max(0, inodes - min(count, inodes))
        }
    }

    /// Whether a candidate can be taken to reach a count: it frees something, and here.
    ///
    /// What frees nothing stays; the other links of a group come along with its leader.
    @inline(__always)
    private func isOpen(_ candidate: Candidate) -> Bool {
        (candidate.bytes > 0 && (!countsInodes || countsBytes || candidate.kind != .cacheValues)
            || countsInodes && candidate.kind != .cacheValues)
            && candidate.flags.isDisjoint(
                with: [.selected, .linkedElsewhere, .otherVolume, .follower])
    }

    private func select(_ candidates: inout [Candidate], where matches: (UInt64) -> Bool) {
        for index in candidates.indices
        where matches(candidates[index].key) && isOpen(candidates[index]) {
            candidates[index].flags.insert(.selected)
        }
    }

    @inline(__always)
    private func inodesOf(_ candidate: Candidate) -> Int {
        countsInodes ? countInodes(of: candidate) : 0
    }

    private func countInodes(of candidate: Candidate) -> Int {
        guard candidate.flags.isDisjoint(with: [.follower, .linkedElsewhere]) else { return 0 }
        switch candidate.kind {
        case .file, .emptyDirectory: return 1
        // How many files a store gives up is its own affair.
        case .cacheValues: return 0
        case .fileSet: return sets[candidate.number]?.count ?? 1
        case .directory: return unitInodes[candidate.number] ?? 1
        }
    }

    func isBefore(_ left: Candidate, _ right: Candidate) -> Bool {
        if left.key != right.key { return left.key < right.key }
        let (leftTie, rightTie) = (tie(left), tie(right))
        return leftTie != rightTie ? leftTie < rightTie : device(left) < device(right)
    }

    /// What the purge order goes by within one key.
    func tie(_ candidate: Candidate) -> CandidateSort.Tie {
        CandidateSort.Tie(size: size(candidate), inode: inventory.inode(of: candidate))
    }

    func device(_ candidate: Candidate) -> UInt64 {
        inventory.identity(of: candidate).device
    }

    /// Links of one file have one size here, whichever of them stands for the bytes.
    private func size(_ candidate: Candidate) -> Int64 {
        candidate.flags.contains(.linkGroup)
            ? inventory.item(candidate.number).allocated : candidate.bytes
    }
}

/// Bytes and inodes of the candidates that share a prefix, by the next twelve bits of their keys.
private struct Histogram {
    private static let size = 1 << 12
    private var bytes = [Int64](repeating: 0, count: size)
    private var inodes = [Int](repeating: 0, count: size)
    private var counts = [Int](repeating: 0, count: size)

    @inline(__always)
    mutating func add(_ bytes: Int64, _ inodes: Int, to bucket: Int) {
        self.bytes[bucket] = self.bytes[bucket].addingClamped(bytes)
        self.inodes[bucket] &+= inodes
        counts[bucket] &+= 1
    }

    /// Takes whole buckets in order while the need is not met.
    ///
    /// - Returns: the bucket within which it is met; nil if all together do not.
    func boundary(_ need: inout Selection.Need) -> Int? {
        for bucket in counts.indices where counts[bucket] > 0 {
            if need.bytes <= bytes[bucket], need.inodes <= inodes[bucket] { return bucket }
            need.take(bytes[bucket], inodes[bucket])
        }
        return nil
    }

    func count(of bucket: Int) -> Int { counts[bucket] }
}

extension PlanRequest {
    /// The largest of the byte targets: when it is reached, all are.
    ///
    /// Those that speak of the volume hold on no volume that is not known: they choose nothing and
    /// are reported as missing.
    var wantedBytes: Int64 {
        var wanted = ByteCount.zero
        for target in targets {
            switch target {
            case .free(let bytes): wanted = max(wanted, bytes)
            case .available, .availableShare, .normalLevel:
                guard let volume = volume else { continue }
                wanted = max(wanted, target.availableBytes(on: volume) - volume.available)
            case .toLimit, .overLimit, .expired, .olderThan, .inodes, .all: break
            }
        }
        return wanted.bytes
    }

    /// The largest of the inode targets.
    var wantedInodes: Int {
        targets.reduce(0) { most, target in
            if case .inodes(let count) = target { return max(most, count) }
            return most
        }
    }

    /// Whether a target speaks of the volume's state, and that is not known.
    var lacksVolume: Bool {
        volume == nil && targets.contains { $0.needsVolume }
    }
}

extension Target {
    /// Whether it names items, rather than counting what they free.
    package var namesItems: Bool {
        switch self {
        case .toLimit, .overLimit, .expired, .olderThan, .all: true
        case .free, .available, .availableShare, .normalLevel, .inodes: false
        }
    }

    var countsInodes: Bool {
        if case .inodes = self { return true }
        return false
    }

    package var isAge: Bool {
        if case .olderThan = self { return true }
        return false
    }

    /// Whether it cannot be understood without ``PlanRequest/volume``.
    public var needsVolume: Bool {
        switch self {
        case .available, .availableShare, .normalLevel: true
        case .free, .toLimit, .overLimit, .expired, .olderThan, .inodes, .all: false
        }
    }

    /// The bytes that are to be available on a volume; zero if it does not speak of that.
    func availableBytes(on volume: PlanRequest.VolumeState) -> ByteCount {
        switch self {
        case .available(let bytes): return bytes
        case .availableShare(let points):
            let share = Int64(min(max(points, 0), 10_000))
            let total = max(0, volume.total.bytes)
            return ByteCount(total / 10_000 * share + total % 10_000 * share / 10_000)
        case .normalLevel: return volume.normalFrom
        case .free, .toLimit, .overLimit, .expired, .olderThan, .inodes, .all: return .zero
        }
    }
}

extension Inventory {
    @inline(__always)
    func inode(of candidate: Candidate) -> UInt64 {
        switch candidate.kind {
        case .file, .fileSet: inode(ofItem: candidate.number)
        case .directory, .emptyDirectory, .cacheValues:
            directories[Int(candidate.number)].identity.inode
        }
    }

    func identity(of candidate: Candidate) -> FileIdentity {
        switch candidate.kind {
        case .file, .fileSet: identity(ofItem: candidate.number)
        case .directory, .emptyDirectory, .cacheValues:
            directories[Int(candidate.number)].identity
        }
    }
}
