//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SystemPackage

/// Which files were in use at one moment: what every process that we may see had open, mapped or
/// executed, working and root directories, the files behind loop devices and swap, and what command
/// lines and environments name.
///
/// It cannot know what is not in `/proc`: descriptors on their way through a socket, files
/// registered with io_uring, processes of other PID namespaces than ours and those below, and,
/// without privilege, processes of other users, which are counted in ``unreadableProcesses``.
/// ``ExclusiveUse`` asks the kernel about one file exactly.
///
/// A value; looking up is O(1) and allocates nothing. Descriptor tables are taken to be shared by
/// the threads of a process.
package struct OpenFileSnapshot: Sendable {
    /// How a file is used.
    package enum Kind: UInt8, Sendable {
        case open
        case mapped
        case executable
        case workingDirectory
        case rootDirectory
        case loopDevice
        case swap
        /// An argument names it.
        case commandLine
        /// The value of an environment variable names it.
        case environment

        /// Whether a process only names the file: it may use it at any moment, and does not hold it.
        package var isNamed: Bool { self == .commandLine || self == .environment }
    }

    /// One use of a file: the first that was found.
    package struct Use: Hashable, Sendable {
        package let kind: Kind
        /// The process, 0 for the kernel.
        package let process: Int32

        /// For people, after "in use: ": `open in clangd (4711)`.
        ///
        /// Reads the process's name now; it may be gone.
        package var text: String {
            let name = RunningProcess.description(of: process)
            return switch kind {
            case .open: "open in \(name)"
            case .mapped: "mapped by \(name)"
            case .executable: "executed by \(name)"
            case .workingDirectory: "working directory of \(name)"
            case .rootDirectory: "root directory of \(name)"
            case .loopDevice: "behind a loop device"
            case .swap: "used for swap"
            case .commandLine: "used by \(name): named on its command line"
            case .environment: "used by \(name): named in its environment"
            }
        }
    }

    /// A file without a name whose bytes are not free, since a process has it open or mapped.
    package struct DeletedFile: Sendable {
        package let process: Int32
        package let command: String
        package let identity: FileIdentity
        package let allocatedSize: ByteCount
        /// Where it was, as far as the kernel remembers; empty if the process is gone by now.
        package let path: String
    }

    struct Deleted: Sendable {
        let process: Int32
        /// The link below `/proc/PID` that leads to it.
        let link: String
        let identity: FileIdentity
        let allocatedSize: ByteCount
    }

    var uses: [FileIdentity: Use] = [:]
    /// Files that processes only name.
    var named: [FileIdentity: Use] = [:]
    /// Mapped files of which only the inode number is known.
    var mappedInodes: [UInt64: Int32] = [:]
    var deleted: [Deleted] = []

    /// Processes whose files are in the snapshot.
    package internal(set) var processes = 0
    /// Processes whose files we may not see.
    package internal(set) var unreadableProcesses = 0
    /// Whether mappings are known exactly (`/proc/PID/map_files`); else by inode number alone.
    package internal(set) var hasExactMappings = true
    /// Whether the system tells of all processes; if not, the snapshot has this one's files at most.
    package internal(set) var isAvailable = false

    /// A snapshot in which nothing is in use.
    package init() {}

    /// Files known to be in use.
    package var count: Int { uses.count + named.count + mappedInodes.count }

    /// Whether a file is open, mapped, executed or otherwise held.
    @inline(__always)
    package func contains(_ identity: FileIdentity) -> Bool {
        uses[identity] != nil || (!named.isEmpty && named[identity] != nil)
            || (!mappedInodes.isEmpty && mappedInodes[identity.inode] != nil)
    }

    /// Whether a file with this inode number, on whatever device, may be mapped.
    ///
    /// Where `map_files` is closed to us, `/proc/PID/maps` is all there is, and its device numbers
    /// are not those of stat(2) on btrfs and overlayfs: the number alone must do, which may keep a
    /// file of another device that has the same.
    package func mappedInode(_ inode: UInt64) -> Bool { mappedInodes[inode] != nil }

    /// Who uses a file, and how; nil if nobody does.
    package func use(of identity: FileIdentity) -> Use? {
        if let use = uses[identity] ?? named[identity] { return use }
        return mappedInodes[identity.inode].map { Use(kind: .mapped, process: $0) }
    }

    /// The files of a volume that are deleted but still held: what explains a smaller gain than
    /// expected. The largest come first.
    ///
    /// Reads names and former paths now. At most 10,000 are remembered by a snapshot.
    ///
    /// - Parameter device: nil for all volumes.
    package func deletedButOpen(on device: UInt64? = nil) -> [DeletedFile] {
        deleted.lazy.filter { device == nil || $0.identity.device == device }
            .sorted { $0.allocatedSize > $1.allocatedSize }
            .map { file in
                DeletedFile(
                    process: file.process,
                    command: RunningProcess.command(of: file.process) ?? "",
                    identity: file.identity, allocatedSize: file.allocatedSize,
                    path: Self.formerPath(file))
            }
    }
}
