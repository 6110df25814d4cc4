//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import SystemPackage

/// Files that were deleted while processes have them mapped.
extension ProcessPathCollector {
    private static let deletedSuffix = Array(" (deleted)".utf8)

    static func isDeleted(_ line: UnsafeRawBufferPointer) -> Bool {
        unsafe line.count > deletedSuffix.count
            && UnsafeRawBufferPointer(rebasing: line[(line.count - deletedSuffix.count)...])
                .elementsEqual(deletedSuffix)
    }

    /// Adds the directory of a file that was deleted while a process has it mapped. The process may need the other
    /// files there.
    ///
    /// - Parameters:
    ///   - text: the path as `maps` shows it, ` (deleted)` included.
    ///   - directory: the directory of the process below `/proc`.
    func addDeletedMapping(_ text: [UInt8], of process: Int32, at directory: Int32) {
        let path = text.dropLast(Self.deletedSuffix.count)
        guard path.first == UInt8(ascii: "/"),
            let end = path.lastIndex(of: UInt8(ascii: "/")), end > 0,
            unsafe path.withUnsafeBytes({ unsafe isOfInterest($0) }),
            process != ownProcess, let key = Self.key("ns/mnt", "root", at: directory),
            let tree = tree(key, process), let found = tree.resolve(path[..<end])
        else { return }
        add(found, .deletedMapping, process, tree)
    }
}
#endif
