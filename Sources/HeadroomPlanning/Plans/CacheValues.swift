//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
import SystemPackage

/// Values of cache stores, among what may go and in plans.
enum CacheValues {
    /// One candidate for what goes of a class of a store, in place of its slices; it goes where the last
    /// of them would.
    static func joined(_ chosen: [Candidate]) -> [Candidate] {
        guard chosen.contains(where: { $0.kind == .cacheValues }) else { return chosen }
        var joined: [Candidate] = []
        joined.reserveCapacity(chosen.count)
        var places: [Key: Int] = [:]
        for candidate in chosen {
            guard candidate.kind == .cacheValues else {
                joined.append(candidate)
                continue
            }
            let key = Key(directory: candidate.number, purgeClass: candidate.plannedClass)
            guard let place = places[key] else {
                places[key] = joined.count
                joined.append(candidate)
                continue
            }
            joined[place].key = max(joined[place].key, candidate.key)
            joined[place].bytes = joined[place].bytes.addingClamped(candidate.bytes)
            // A rule that holds for all of it.
            joined[place].flags.formIntersection(candidate.flags)
        }
        return joined
    }

    private struct Key: Hashable {
        let directory: UInt32
        let purgeClass: PlannedClass
    }
}

extension CandidateBuilder {
    /// Adds the values of a cache store, slice by slice, and counts what of its files stays.
    ///
    /// - Parameter reason: why nothing of the directory may go; nil: it may.
    mutating func addValues(
        of store: InventoryStore, _ record: DirectoryRecord, _ reason: Reason.Code?
    ) {
        var planned: Int64 = 0
        let reason = reason ?? (store.isForeign ? .foreignOwner : nil)
        if reason == nil, let terms = terms(of: record, store.directory, mark: record.mark.mark) {
            for slice in store.slices {
                list.candidates.append(makeCandidate(slice, of: store, terms))
                planned += slice.bytes
            }
        }
        var held: Int64 = 0
        var count = 0
        inventory.forEachRecord(of: store.directory) { id, item in
            guard inventory.isOfStore(id) else { return }
            held = held.addingClamped(item.allocated)
            count += 1
        }
        list.kept.add(reason ?? .cacheStore, bytes: max(0, held - planned), count: count)
    }

    private func makeCandidate(
        _ slice: StoreSlice, of store: InventoryStore, _ terms: Terms
    ) -> Candidate {
        var terms = terms
        // The nearest declaration is the value's own; but for what is to go last with all that is in it.
        if terms.rank != .lastResort { terms.rank = slice.purgeClass.rank }
        let times = ItemTimes(
            used: slice.latestUse, modified: slice.latestCreation, created: slice.latestCreation)
        if slice.isExpired { terms.expiredBefore = .max }
        var candidate = makeCandidate(
            store.directory, kind: .cacheValues, times, bytes: slice.bytes, terms)
        // Its place among others; size does not count, since it is the store's order that does.
        let shift = OrderKey.importanceShift
        let prefix = (candidate.key >> shift) << shift
        candidate.key = prefix | UInt64(slice.used) << OrderKey.timeShift
        return candidate
    }
}

extension Inventory {
    /// Whether an item of a cache store's directory is a file of the store's, by its name.
    func isOfStore(_ id: UInt32) -> Bool {
        StoreNames.isOurs(String(decoding: name(ofItem: id).owned.bytes, as: UTF8.self))
    }
}

extension Inventory {
    /// Whether a file of a cache store's is pinned, or has a mark that cannot be read: values are moved from file to
    /// file when others go, so that none may.
    func hasPinnedFile(ofStore directory: UInt32) -> Bool {
        guard !itemMarks.isEmpty || !damagedItemMarks.isEmpty else { return false }
        var isPinned = false
        forEachRecord(of: directory) { id, item in
            guard item.flags.contains(.marked), isOfStore(id) else { return }
            if mark(ofItem: id).isPinned == true || damagedItemMarks.contains(id) {
                isPinned = true
            }
        }
        return isPinned
    }
}

extension Plan {
    /// How many values of a cache store go.
    func values(of candidate: Candidate) -> Int {
        guard let store = inventory.stores[candidate.number] else { return 0 }
        let classes = store.classes(of: candidate.purgeableClass, in: inventory)
        return store.slices(in: candidate.bytes, of: classes).reduce(0) { $0 + $1.values }
    }

    func reason(forValues candidate: Candidate, _ name: String) -> Reason {
        let values = values(of: candidate)
        let count = values == 1 ? "1 value" : "\(values) values"
        let age = request.now.duration(
            since: Timestamp(seconds: Int64(OrderKey.time(of: candidate.key))))
        let area = inventory.areas[Int(candidate.area)]
        if candidate.flags.contains(.expired) {
            return Reason(.expired, "\(name), \(count) of a cache store that have expired")
        }
        let which = "\(count) of a cache store, least worth first"
        if candidate.flags.contains(.oldEnough) {
            return Reason(.olderThan, "\(name), \(which), unused for \(age.inWords)")
        }
        if candidate.flags.contains(.overLimit), let limit = area.limit {
            return Reason(.overLimit, "\(name), its area is over its \(limit), \(which)")
        }
        return Reason(
            request.targets.contains(.all) ? .all : .inOrder,
            "\(name), \(which), unused for \(age.inWords)")
    }
}
