//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
extension ProcessPathCollector {
    /// A file tree, and what was examined in it.
    final class Tree {
        let files: ProcessFileTree
        /// Hashes of the texts that were examined.
        var seen: Set<Int> = []
        /// This process's tree, if it has the same root directory.
        private let own: ProcessFileTree?
        /// The mount points below which the two trees differ.
        private lazy var differences =
            own.map { files.mounted.points(differingFrom: $0.mounted) } ?? []

        init(_ files: ProcessFileTree, like own: ProcessFileTree? = nil) {
            self.files = files
            self.own = own
        }

        /// Whether a path may have a `..`, which leads back out of what the trees have in common.
        static func hasParentStep(_ path: some Collection<UInt8>) -> Bool {
            var last: UInt8 = 0
            for byte in path {
                if byte == UInt8(ascii: "."), byte == last { return true }
                last = byte
            }
            return false
        }

        /// Whether it has the same root directory as this process.
        var hasOwnRoot: Bool { own != nil }

        /// Whether all paths lead to the same files as in this process's tree.
        func showsSameFiles(at paths: [[UInt8]]) -> Bool {
            !differences.contains { point in paths.contains { lies($0, inOrAt: point) } }
        }

        /// ``ProcessFileTree/resolve(_:)``, with the answers for this process's tree where they are the same.
        func resolve(_ path: some Collection<UInt8>) -> ProcessFileTree.Resolution? {
            guard let own, !Self.hasParentStep(path), let found = own.resolve(path),
                showsSameFiles(at: [found.path] + found.links.map(\.path))
            else { return files.resolve(path) }
            return found
        }
    }
}

/// Whether a path lies in a directory and is not the directory itself.
func lies(_ path: [UInt8], below directory: [UInt8]) -> Bool {
    let end = directory.last == UInt8(ascii: "/") ? directory.count - 1 : directory.count
    return path.count > end + 1 && path[end] == UInt8(ascii: "/")
        && path.starts(with: directory[..<end])
}

func lies(_ path: [UInt8], inOrAt directory: [UInt8]) -> Bool {
    path == directory || lies(path, below: directory)
}
#endif
