//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import SystemPackage

/// The directories and overlay layers that mounts show elsewhere.
extension ProcessPathCollector {
    /// Adds the sources of the mounts that a process sees: directories that bind mounts show elsewhere, and
    /// the layers of overlays.
    ///
    /// - Parameter isOwnTable: whether all processes of the tree have the same mount table. Of another user's
    ///   process only the table itself can be read.
    func addMountSources(
        of process: Int32, at directory: Int32, _ tree: Tree, isOwnTable: Bool
    ) {
        if isOwnTable, !knownTables.insert(ObjectIdentifier(tree).hashValue).inserted { return }
        // A process that has ended needs none of its mounts.
        let table =
            isOwnTable
            ? tree.files.table
            : (try? ProcessDirectory.content(
                of: "mountinfo", at: directory, limit: ProcessFileTree.tableLimit)) ?? []
        let text = unsafe table.withUnsafeBytes { table in
            var hasher = Hasher()
            unsafe hasher.combine(bytes: table)
            return hasher.finalize()
        }
        guard knownTables.insert(text).inserted else { return }
        unsafe PseudoFile.forEachLine(in: table) { line in
            guard let mount = unsafe MountLine(line) else { return }
            if mount.isOverlay {
                addLayers(of: mount, process, tree)
            } else if !mount.showsWhole {
                addSource(of: mount, process)
            }
        }
    }

    private func addSource(of mount: MountLine, _ process: Int32) {
        let root = mount.root
        guard seenSources.insert(SourceKey(device: mount.device, root: root)).inserted else {
            return
        }
        let point = mount.point
        for (path, other) in candidates(device: mount.device, path: root)
        // The mount itself, or its copy in another namespace, is not a separate path of its source.
        where !(other.root == root && other.point == point) && isBelow(path.bytes) {
            survey.mountSources.append(MountSource(path: path, point: point, process: process))
        }
    }

    private func addLayers(of line: MountLine, _ process: Int32, _ tree: Tree) {
        for mount in MountTable(parsing: line.bytes).mounts {
            for layer in mount.layers where layer.isAbsolute {
                // Named as the mounting process saw it, which is mostly as we do.
                for tree in [tree, own].compactMap(\.self) {
                    guard let found = tree.files.resolve(layer.bytes), found.exists,
                        let status = found.status, let path = ours(found.path, status, tree),
                        isBelow(path)
                    else { continue }
                    survey.mountSources.append(
                        MountSource(
                            path: FilePath(bytes: path), point: mount.point, process: process))
                }
            }
        }
    }
}
#endif
