//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !os(Linux)
/// Other systems than Linux show no locks.
final class LockAttribution: Sendable {
    func concerns(_ entry: LockTable.Entry, _ identity: FileIdentity) -> Bool {
        entry.inode == identity.inode
    }
}
#else
import CHeadroomShims
import Glibc
import Synchronization
import SystemPackage

/// Tells whether a lock that `/proc/locks` shows is a lock on a certain file.
///
/// The kernel names a locked file by the device of its file system and by its inode number. The number
/// alone says little: a file on another tmpfs, in a container for example, often has the same one. And the
/// device is not always the one that stat(2) reports (btrfs, overlayfs). So, in this order:
///
/// 1. Where both are certain, the devices decide.
/// 2. Otherwise the descriptors of the lock's holder decide: one of them is this file, or none is.
/// 3. A flock or an open-file-description lock may belong to a process that inherited the descriptor. The
///    `lock:` lines of `fdinfo` show it.
/// 4. Where a process's descriptors may not be read, the lock may be on this file, and protects it.
///
/// Belongs to one ``LockTable``. Nothing is read before two inode numbers coincide, and nothing twice.
final class LockAttribution: Sendable {
    /// File systems whose files have the device number of their mount, as in `/proc/locks`.
    private static let plainTypes: Set<String> = [
        "ext2", "ext3", "ext4", "xfs", "tmpfs", "devtmpfs", "ramfs", "f2fs", "vfat",
    ]

    private struct Question: Hashable {
        let entry: LockTable.Entry
        let device: UInt64
    }

    private struct State {
        var answers: [Question: Bool] = [:]
        /// The types of mounted file systems by device, as a process sees them; 0: this process.
        var types: [Int32: [UInt64: String]] = [:]
        var allTypes: [UInt64: String]?
        var holders: [Int32: LockHolderFiles] = [:]
        var processes: [Int32]?
    }
    private let state = Mutex(State())

    func concerns(_ entry: LockTable.Entry, _ identity: FileIdentity) -> Bool {
        guard entry.inode == identity.inode else { return false }
        return state.withLock { state in
            let question = Question(entry: entry, device: identity.device)
            if let known = state.answers[question] { return known }
            let answer = Self.decide(entry, identity, &state)
            state.answers[question] = answer
            return answer
        }
    }

    private static func decide(
        _ entry: LockTable.Entry, _ identity: FileIdentity, _ state: inout State
    ) -> Bool {
        let type = types(of: 0, &state)[identity.device]
        let isPlain = type.map(plainTypes.contains) ?? false
        if isPlain {
            if entry.device == identity.device { return true }
            // Only a file system that lies over this one could have the same file under another device.
            if let other = self.type(of: entry, &state), !isStacked(other) { return false }
        }
        if entry.process > 0 {
            switch files(of: entry.process, &state) {
            case .unreadable: return true
            // POSIX locks end with their process, and when it closes the file.
            case .none:
                if entry.kind == .posix { return false }
            case .some(let files):
                if files.mayBe(identity) { return true }
                if entry.kind == .posix { return false }
            }
        }
        // Locks without a process are shown also if their holder is in a PID namespace that is not.
        if entry.process <= 0, !isPlain, !seesAllProcesses { return true }
        return isInherited(entry, identity, &state)
    }

    /// Whether this process is in the first PID namespace (`PROC_PID_INIT_INO`).
    private static let seesAllProcesses =
        ProcessDirectory.namespace("/proc/self/ns/pid", at: AT_FDCWD) == 0xEFFF_FFFC

    /// Whether some process has the lock by a descriptor that it inherited or received.
    private static func isInherited(
        _ entry: LockTable.Entry, _ identity: FileIdentity, _ state: inout State
    ) -> Bool {
        var isComplete = true
        for process in processes(&state) {
            switch files(of: process, &state) {
            case .unreadable: isComplete = false
            case .none: break
            case .some(let files):
                if files.hasLock(entry, on: identity) { return true }
            }
        }
        return !isComplete
    }

    private static func processes(_ state: inout State) -> [Int32] {
        if let known = state.processes { return known }
        guard let proc = try? ProcessDirectory.open("/proc", at: AT_FDCWD) else { return [] }
        let processes = ProcessDirectory.processes(in: proc.rawValue)
        state.processes = processes
        return processes
    }

    private static func files(of process: Int32, _ state: inout State) -> LockHolderFiles {
        if let known = state.holders[process] { return known }
        let files = LockHolderFiles(of: process)
        state.holders[process] = files
        return files
    }

    // MARK: - File systems

    private static func isStacked(_ type: String) -> Bool {
        ["overlay", "aufs", "ecryptfs", "unionfs", "shiftfs"].contains(type)
            || type.hasPrefix("fuse")
    }

    /// The type of the file system that a lock is on; nil if no mount namespace shows it.
    private static func type(of entry: LockTable.Entry, _ state: inout State) -> String? {
        if let type = types(of: 0, &state)[entry.device] { return type }
        if entry.process > 0, let type = types(of: entry.process, &state)[entry.device] {
            return type
        }
        if let all = state.allTypes { return all[entry.device] }
        var all: [UInt64: String] = [:]
        for process in processes(&state) { all.merge(types(of: process, &state)) { $1 } }
        state.allTypes = all
        return all[entry.device]
    }

    private static func types(of process: Int32, _ state: inout State) -> [UInt64: String] {
        if let known = state.types[process] { return known }
        var types: [UInt64: String] = [:]
        var buffer = PseudoFile.makeBuffer()
        let name = process == 0 ? "self" : "\(process)"
        // Without a mount table no device is certain.
        unsafe try? PseudoFile.forEachLine(of: "/proc/\(name)/mountinfo", buffer: &buffer) { line in
            guard let mount = unsafe MountLine(line) else { return }
            if types[mount.device] == nil { types[mount.device] = mount.type }
        }
        state.types[process] = types
        return types
    }
}

/// The files that a process has open, as far as locks are concerned.
enum LockHolderFiles: Sendable {
    /// It has ended, or has no files.
    case none
    /// It belongs to another user, or too many files are open.
    case unreadable
    case some(Files)

    struct Files: Sendable {
        let process: Int32
        private var descriptors: [FileIdentity: [Int32]] = [:]
        private(set) var byInode: [UInt64: [FileIdentity]] = [:]

        fileprivate init(process: Int32) { self.process = process }

        fileprivate mutating func add(_ identity: FileIdentity, _ number: Int32) {
            if descriptors[identity] == nil {
                byInode[identity.inode, default: []].append(identity)
            }
            descriptors[identity, default: []].append(number)
        }

        /// Whether one of them is a file, or may be the same file by way of an overlay.
        func mayBe(_ identity: FileIdentity) -> Bool {
            if descriptors[identity] != nil { return true }
            return (byInode[identity.inode] ?? []).contains { other in
                descriptors[other]?.first.map(isOnOverlay) ?? false
            }
        }

        /// `OVERLAYFS_SUPER_MAGIC`
        private static let overlayMagic: UInt64 = 0x794c_7630

        private func isOnOverlay(_ number: Int32) -> Bool {
            let flags = Int32(HR_O_PATH) | O_CLOEXEC
            guard
                let opened = try? retrying({
                    unsafe hr_openat(AT_FDCWD, "/proc/\(process)/fd/\(number)", flags, 0)
                })
            else { return false }
            let file = Descriptor(owning: opened)
            var magic: UInt64 = 0
            return unsafe hr_file_system_magic(file.rawValue, &magic) == 0
                && magic == Self.overlayMagic
        }

        /// Whether `fdinfo` shows a lock of the same kind on the file that the kernel names in the entry.
        ///
        /// Holder and mode aren't compared: the holder may have converted the lock since the table was read.
        func hasLock(_ entry: LockTable.Entry, on identity: FileIdentity) -> Bool {
            (descriptors[identity] ?? []).contains { number in
                var found = false
                var buffer = [UInt8](repeating: 0, count: 4096)
                // It has ended, or closed the file: its lock ended, too.
                unsafe try? PseudoFile.forEachLine(
                    of: "/proc/\(process)/fdinfo/\(number)", buffer: &buffer
                ) { line in
                    let prefix = "lock:".utf8.count
                    guard unsafe line.starts(with: "lock:".utf8) else { return }
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: line[prefix...])
                    guard let lock = unsafe LockTable.parse(rest) else { return }
                    if lock.kind == entry.kind, lock.device == entry.device,
                        lock.inode == entry.inode
                    {
                        found = true
                    }
                }
                return found
            }
        }
    }

    init(of process: Int32) {
        let table: Descriptor
        do throws(Errno) {
            table = try ProcessDirectory.open("/proc/\(process)/fd", at: AT_FDCWD)
        } catch .noSuchFileOrDirectory, .noSuchProcess {
            self = .none
            return
        } catch {
            self = .unreadable
            return
        }
        var files = Files(process: process)
        for name in ProcessDirectory.names(in: table.rawValue) {
            let text = String(decoding: name, as: UTF8.self)
            guard let number = Int32(text) else { continue }
            var status = CHeadroomShims.statx()
            // Closed meanwhile, or on a server that does not answer.
            guard (try? ProcessDirectory.follow(text, at: table.rawValue, &status)) != nil else {
                continue
            }
            files.add(
                FileIdentity(
                    device: UInt64(status.stx_dev_major) << 32 | UInt64(status.stx_dev_minor),
                    inode: status.stx_ino), number)
        }
        self = .some(files)
    }
}
#endif
