//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import SystemPackage

/// Files that were deleted while processes have them mapped.
extension ProcessPathCollector {
    /// Adds the directories of deleted files that a process has mapped.
    func addDeletedMappings(of process: Int32, at directory: Int32, _ tree: Tree) {
        var lines = mapLines
        mapLines = []
        // Another user's process, or one that has ended.
        unsafe try? PseudoFile.forEachLine(of: "maps", at: directory, buffer: &lines) { line in
            guard unsafe Self.isDeleted(line) else { return }
            // `start-end perms offset major:minor inode path`
            var reader = unsafe FieldReader(line)
            for _ in 0..<5 { _ = reader.next() }
            addDeletedMapping(reader.unescaped(reader.rest()), process, tree)
        }
        mapLines = lines
    }

    private static let deletedSuffix = Array(" (deleted)".utf8)

    static func isDeleted(_ line: UnsafeRawBufferPointer) -> Bool {
        unsafe line.count > deletedSuffix.count
            && UnsafeRawBufferPointer(rebasing: line[(line.count - deletedSuffix.count)...])
                .elementsEqual(deletedSuffix)
    }

    /// Adds the directory of a file that was deleted while a process has it mapped. The process may need the other
    /// files there.
    ///
    /// - Parameter text: the path as `maps` shows it, ` (deleted)` included.
    private func addDeletedMapping(_ text: [UInt8], _ process: Int32, _ tree: Tree) {
        let path = text.dropLast(Self.deletedSuffix.count)
        guard path.first == UInt8(ascii: "/"),
            let end = path.lastIndex(of: UInt8(ascii: "/")), end > 0,
            unsafe path.withUnsafeBytes({ unsafe isOfInterest($0) }),
            let found = tree.files.resolve(path[..<end])
        else { return }
        add(found, .deletedMapping, process, tree)
    }

    /// The same, of a process whose memory map is being read.
    func addDeletedMapping(_ text: [UInt8], of process: Int32, at directory: Int32) {
        guard process != ownProcess, let key = Self.key("ns/mnt", "root", at: directory),
            let tree = tree(key, process)
        else { return }
        addDeletedMapping(text, process, tree)
    }
}
#endif
