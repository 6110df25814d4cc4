//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

/// What nobody but root can change, or exchange for something else.
package enum RootsAlone {
    /// As many links are followed, as a path may have on the way of other links.
    private static let linkLimit = 8

    /// Whether what a path leads to is root's alone: itself, each directory on the way, and each link with
    /// the directories on its way.
    ///
    /// A directory is, if it belongs to root and nobody else can write it. In one with the sticky bit, as
    /// `/tmp` is, nobody exchanges what is root's.
    ///
    /// - Complexity: O(components), with two calls for each.
    package static func isEnd(of path: FilePath) -> Bool {
        guard path.isAbsolute else { return false }
        // Without links.
        var place = FilePath("/")
        var rest = Array(path.names.reversed())
        var links = 0
        while let name = rest.popLast() {
            if name.bytes == [0x2E, 0x2E] {
                place.removeLastComponent()
                continue
            }
            let entry = place.appending(name)
            guard let around = try? PathCalls.entryStatus(place),
                around.isRootsAlone || around.owner == 0 && around.permissions & 0o1000 != 0,
                let status = try? PathCalls.entryStatus(entry), status.owner == 0
            else { return false }
            guard status.type == .symbolicLink else {
                place = entry
                continue
            }
            links += 1
            guard links <= linkLimit, let target = entry.linkTarget else { return false }
            if target.isAbsolute { place = FilePath("/") }
            rest += target.names.reversed()
        }
        return (try? PathCalls.entryStatus(place))?.isRootsAlone == true
    }
}

extension FileStatus {
    /// It belongs to root, and nobody else can write it.
    fileprivate var isRootsAlone: Bool { owner == 0 && permissions & 0o022 == 0 }
}
