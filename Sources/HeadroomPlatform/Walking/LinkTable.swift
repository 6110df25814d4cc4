//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The files with several links that a worker has met, so that each counts once.
///
/// An array that is sorted and made unique when it has doubled: it takes no lock, and no memory
/// beyond the links themselves. Workers' tables are merged when the walk is over.
struct LinkTable {
    struct Link: Comparable {
        let identity: FileIdentity
        let allocated: Int64
        let logical: Int64

        static func < (left: Link, right: Link) -> Bool {
            (left.identity.inode, left.identity.device)
                < (right.identity.inode, right.identity.device)
        }

        static func == (left: Link, right: Link) -> Bool { left.identity == right.identity }
    }

    private var links: [Link] = []
    private var compactedCount = 0

    mutating func append(_ link: Link) {
        links.append(link)
        if links.count > max(1 << 16, 2 * compactedCount) { compact() }
    }

    mutating func merge(_ other: LinkTable) {
        links += other.links
    }

    /// Each file once.
    mutating func unique() -> [Link] {
        compact()
        return links
    }

    private mutating func compact() {
        links.sort()
        var kept = 0
        for index in links.indices where index == 0 || links[index] != links[kept - 1] {
            links[kept] = links[index]
            kept += 1
        }
        links.removeSubrange(kept...)
        compactedCount = kept
    }
}
