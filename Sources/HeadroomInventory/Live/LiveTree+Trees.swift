//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

// Whole trees that come and go.
extension LiveTree {
    /// Takes a directory out, with everything below; its own number included unless it is kept.
    func removeTree(_ top: UInt32, keepingTop: Bool, forget: (UInt32) -> Void) {
        var all: [UInt32] = [top]
        var index = 0
        while index < all.count {
            all += children(of: all[index])
            index += 1
        }
        let gone = Set(all)
        contents.omissions.removeAll { gone.contains($0.directory) }
        if !contents.failures.isEmpty {
            let path = path(of: top)
            contents.failures.removeAll { $0.path.lies(in: path) }
            contents.failureCount = contents.failures.count
        }
        if !keepingTop { unlink(top) }
        for directory in all {
            var items: Set<UInt32> = []
            forEachItem(of: directory) { items.insert($0) }
            replace(in: directory, removing: items, adding: [])
            if watches[Int(directory)] != 0 {
                forget(watches[Int(directory)])
                setWatch(0, of: directory)
            }
            contents.directories[Int(directory)].firstChild = DirectoryRecord.none
            if directory != top || !keepingTop { release(directory) }
        }
    }

    private func unlink(_ directory: UInt32) {
        let record = contents.directories[Int(directory)]
        let parent = Int(record.parent)
        if contents.directories[parent].firstChild == directory {
            contents.directories[parent].firstChild = record.nextSibling
            return
        }
        var child = contents.directories[parent].firstChild
        while child != DirectoryRecord.none {
            if contents.directories[Int(child)].nextSibling == directory {
                contents.directories[Int(child)].nextSibling = record.nextSibling
                return
            }
            child = contents.directories[Int(child)].nextSibling
        }
    }

    func link(_ directory: UInt32, in parent: UInt32) {
        contents.directories[Int(directory)].parent = parent
        contents.directories[Int(directory)].nextSibling =
            contents.directories[Int(parent)].firstChild
        contents.directories[Int(parent)].firstChild = directory
    }
}
