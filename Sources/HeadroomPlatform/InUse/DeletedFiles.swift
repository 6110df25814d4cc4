//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import SystemPackage

/// Files that have no name any more, and whose bytes are not free since a process has them open:
/// why `df` says more than `du`.
public struct DeletedFiles: Sendable {
    /// One deleted file, with the process that was found first to have it open.
    public struct File: Hashable, Sendable {
        public var process: Int32
        /// The process's program; empty if it is gone by now.
        public var command: String
        /// Where the file was, as far as the system remembers; nil if the process is gone by now.
        public var path: FilePath?
        public var allocated: ByteCount
        public var identity: FileIdentity
    }

    /// The largest first.
    public var files: [File]
    /// Processes of other users, whose files could not be seen.
    public var hiddenProcesses: Int
    /// Processes whose files were seen.
    public var visibleProcesses: Int
    /// Which files are mapped is known exactly; else by inode number alone.
    public var hasExactMappings: Bool
    /// Whether the system could be asked at all; elsewhere than on Linux it cannot.
    public var isAvailable: Bool

    /// Looks at all processes that the user may see. Blocks for some milliseconds.
    ///
    /// Shared memory and files that never had a name are left out: they occupy no volume.
    public static func current() -> DeletedFiles {
        let snapshot = OpenFileSnapshot.capture()
        let files = snapshot.deletedButOpen().compactMap { file -> File? in
            let isNowhere = hidden.contains { file.path.starts(with: $0) }
            guard !isNowhere, file.path.isEmpty || file.path.hasPrefix("/") else { return nil }
            return File(
                process: file.process, command: file.command,
                path: file.path.isEmpty ? nil : FilePath(file.path),
                allocated: file.allocatedSize, identity: file.identity)
        }
        return DeletedFiles(
            files: files, hiddenProcesses: snapshot.unreadableProcesses,
            visibleProcesses: snapshot.processes, hasExactMappings: snapshot.hasExactMappings,
            isAvailable: snapshot.isAvailable)
    }

    /// How the kernel names what lies on no mounted volume.
    private static let hidden = ["/memfd:", "/SYSV", "/dev/zero", "/[", "/anon_hugepage", "/i915"]
}
