//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

extension LiveTree {
    /// The inventory as it is now. What was given out before stays as it was.
    ///
    /// - Complexity: O(directories), and O(links log links) if files with several links changed.
    func makeInventory(scanned: Timestamp) -> Inventory {
        countLinks()
        reclaim()
        // What was moved has links, too.
        countLinks()
        sumDirectories()
        if hasNewLinks {
            contents.linkedItems = links.spanningItems
            hasNewLinks = false
        }
        followIndex()
        endRound()
        return Inventory(
            areas: areas, roots: roots, scanned: scanned, key: key, contents: contents,
            index: index)
    }

    private func followIndex() {
        guard wantsIndex else { return }
        findStructures()
        if index?.follow(self) != true { index = CandidateIndex(self) }
    }

    // MARK: - Files with several links

    /// Counts each file that has changed once, in the directory in which a scan counts it: see
    /// ``InventoryAssembler``.
    func countLinks() {
        guard !links.changed.isEmpty else { return }
        hasNewLinks = true
        for identity in links.changed {
            let names = (links.names[identity] ?? []).sorted(by: isCountedBefore)
            for (index, id) in names.enumerated() { setCounted(index == 0, id) }
            // They are other items now, if they had to say something else.
            let first = links.names[identity]?.first {
                !item($0).flags.contains(.countedElsewhere)
            }
            let record = first.map { item($0) }
            let area = record.map { contents.directories[Int($0.parent)].area }
            links.count(
                identity, record,
                isComplete: record.map { Int($0.linkCount) == names.count } ?? true,
                spansAreas: (links.names[identity] ?? []).contains {
                    contents.directories[Int(item($0).parent)].area != area
                })
        }
        links.endCount()
    }

    private func isCountedBefore(_ left: UInt32, _ right: UInt32) -> Bool {
        let (first, second) = (
            contents.directories[Int(item(left).parent)].identity.inode,
            contents.directories[Int(item(right).parent)].identity.inode
        )
        if first != second { return first < second }
        return unsafe name(ofItem: left).bytes
            .lexicographicallyPrecedes(name(ofItem: right).bytes)
    }

    /// Makes an item say whether it is the one that counts: another one does, if it did not.
    private func setCounted(_ isCounted: Bool, _ id: UInt32) {
        var record = item(id)
        guard record.flags.contains(.countedElsewhere) == isCounted else { return }
        if isCounted {
            record.flags.remove(.countedElsewhere)
        } else {
            record.flags.insert(.countedElsewhere)
        }
        let new = append(record, name: name(ofItem: id), extras: extras(of: id))
        replace(in: record.parent, removing: [id], adding: [new])
    }

    // MARK: - Sums

    /// The same pass as after a scan, over the sums that each directory has of its own items.
    private func sumDirectories() {
        let links = links.sums
        let own = own
        unsafe contents.directories.withUnsafeMutableBufferPointer { directories in
            // In bounds: parents are numbers of directories.
            for number in directories.indices
            where unsafe !directories[number].flags.contains(.vacant) {
                let sums = own[number]
                unsafe directories[number].totals = TreeTotals(
                    allocated: sums.allocated, logical: sums.logical, files: Int(sums.files),
                    newest: sums.newest)
            }
            for (number, sums) in links {
                unsafe directories[Int(number)].totals.allocated &+= sums.allocated
                unsafe directories[Int(number)].totals.logical &+= sums.logical
            }
            for number in directories.indices.reversed()
            where unsafe !directories[number].flags.contains(.vacant) {
                let record = unsafe directories[number]
                unsafe directories[number].totals.allocated &+= record.allocated
                unsafe directories[number].totals.newest = max(
                    record.totals.newest, record.modified)
                if record.flags.contains(.unreadable) {
                    unsafe directories[number].totals.unreadable += 1
                }
                guard record.parent != DirectoryRecord.none else { continue }
                let totals = unsafe directories[number].totals
                unsafe directories[Int(record.parent)].totals.add(totals)
                unsafe directories[Int(record.parent)].totals.directories += 1
            }
        }
    }
}
