//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

// Files with several links. The system tells of a change by the name that was used, and of a new or
// lost link by that link's name alone; all other names of the file have changed with it.
extension LiveCore {
    /// Adds, each time, the names of files that have another link where nothing is told.
    func addLinks(to work: inout [UInt32: DirectoryChange], _ tree: LiveTree) {
        for identity in tree.links.incomplete {
            for id in tree.links.names[identity] ?? [] {
                work[tree.item(id).parent, default: .init()]
                    .names[tree.name(ofItem: id).owned, default: []].insert(.touched)
            }
        }
    }
}

extension LiveReader {
    /// Looks at the other names of files whose links have turned out to be others than was known.
    func settleLinks() {
        let changed = tree.links.changed
        if changed.isEmpty { return }
        var work: [UInt32: Set<UInt32>] = [:]
        for identity in changed { addNames(of: identity, to: &work) }
        lookAgain(at: work)
        // A file that had one name when it was looked at is known by that name alone.
        var sought: Set<UInt64> = []
        for identity in tree.links.changed where !tree.links.incomplete.contains(identity) {
            let names = tree.links.names[identity] ?? []
            if names.contains(where: { Int(tree.item($0).linkCount) > names.count }) {
                sought.insert(identity.inode)
            }
        }
        if sought.isEmpty { return }
        work = singleNames(of: sought)
        lookAgain(at: work)
    }

    private func lookAgain(at work: [UInt32: Set<UInt32>]) {
        for (number, items) in work { _ = lookAgain(at: items, in: number) }
    }

    private func addNames(of identity: FileIdentity, to work: inout [UInt32: Set<UInt32>]) {
        for id in tree.links.names[identity] ?? [] {
            work[tree.item(id).parent, default: []].insert(id)
        }
    }

    /// - Complexity: O(items), without a look-up for most.
    private func singleNames(of inodes: Set<UInt64>) -> [UInt32: Set<UInt32>] {
        var hints = [UInt64](repeating: 0, count: 1024)
        for inode in inodes { hints[Int(inode >> 6 & 1023)] |= 1 << (inode & 63) }
        var work: [UInt32: Set<UInt32>] = [:]
        for number in tree.contents.directories.indices
        where tree.contents.directories[number].firstRun != DirectoryRecord.none {
            tree.forEachItem(of: UInt32(number)) { id in
                let inode = tree.inode(ofItem: id)
                guard hints[Int(inode >> 6 & 1023)] >> (inode & 63) & 1 == 1,
                    inodes.contains(inode), tree.item(id).linkCount == 1
                else { return }
                work[UInt32(number), default: []].insert(id)
            }
        }
        return work
    }
}
