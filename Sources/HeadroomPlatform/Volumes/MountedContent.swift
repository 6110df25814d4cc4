//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
/// What a mount table shows at each mount point: to compare the tables of two processes.
package struct MountedContent {
    private struct Content: Hashable {
        let device: UInt64
        let root: [UInt8]
        /// The point of the mount below this one. If another mount covers that one, this one is hidden.
        let parentPoint: [UInt8]
    }

    private var contents: [[UInt8]: [Content]] = [:]

    /// - Parameter table: the text of `/proc/PID/mountinfo` (proc(5)); lines of another form are ignored.
    package init(parsing table: [UInt8]) {
        var found: [(point: [UInt8], parent: UInt64, device: UInt64, root: [UInt8])] = []
        var points: [UInt64: [UInt8]] = [:]
        unsafe PseudoFile.forEachLine(in: table) { line in
            guard let mount = unsafe MountLine(line) else { return }
            let point = mount.pointBytes
            points[mount.number] = point
            found.append((point, mount.parent, mount.device, mount.rootBytes))
        }
        for (point, parent, device, root) in found {
            contents[point, default: []].append(
                Content(device: device, root: root, parentPoint: points[parent] ?? []))
        }
    }

    /// The mount points at or below which two tables may show different files.
    ///
    /// The order of the lines doesn't matter, because a copy of a mount namespace lists the same mounts in a different
    /// order. If several mounts have the same point, the table doesn't show which of them a mount below covers, so that
    /// point counts as different.
    ///
    /// - Returns: the empty path, which contains all others, if one of the tables is empty.
    package func points(differingFrom other: MountedContent) -> [[UInt8]] {
        if contents.isEmpty || other.contents.isEmpty { return [[]] }
        return Set(contents.keys).union(other.contents.keys).filter { point in
            guard let content = contents[point], content.count == 1 else { return true }
            return content != other.contents[point]
        }
    }
}
#endif
