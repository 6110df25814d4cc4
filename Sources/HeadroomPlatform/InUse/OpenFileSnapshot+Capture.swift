//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

#if !os(Linux)
extension OpenFileSnapshot {
    /// Takes a snapshot of what this process has open: of others only Linux tells, so ``isAvailable`` is
    /// false. What is mapped and not open any more is not seen.
    ///
    /// - Parameters:
    ///   - own: tells this process's own descriptors from those that a purge has opened; nil: all
    ///     of them count.
    ///   - count: not needed here.
    ///   - roots: not needed here.
    ///   - named: not needed here.
    package static func capture(
        own: OwnDescriptors? = nil, expecting count: Int = 0, below roots: [FilePath] = [],
        named: [FileIdentity: Use]? = nil
    ) -> Self {
        var snapshot = OpenFileSnapshot()
        let process = RunningProcess.own
        for number in OwnDescriptors.openNumbers() {
            // Closed since it was listed.
            guard let status = try? LinkedStatus.of(number) else { continue }
            guard status.type == .regular || status.type == .directory else { continue }
            if let own, !own.counts(number, status) { continue }
            snapshot.uses[status.identity] = Use(kind: .open, process: process)
        }
        return snapshot
    }

    static func formerPath(_ file: Deleted) -> String { "" }
}
#else
import CHeadroomShims
import Glibc

extension OpenFileSnapshot {
    /// Takes a snapshot.
    ///
    /// Blocks for as long as the kernel needs: about 4 µs for each open descriptor on the machine
    /// (measured: 192 ms for 50,000, which is what a C program needs for the same calls; 8 ms on a
    /// machine at rest), as `/proc` makes an inode for each one that is looked at.
    ///
    /// - Parameters:
    ///   - own: tells this process's own descriptors from those that a purge has opened; nil: all
    ///     of them count.
    ///   - count: how many files to expect, so that memory is asked for once.
    ///   - roots: what lies in these directories is in use also if only a command line or an environment
    ///     names it.
    ///   - named: the files that are known to be named, which are then not looked for.
    package static func capture(
        own: OwnDescriptors? = nil, expecting count: Int = 0, below roots: [FilePath] = [],
        named: [FileIdentity: Use]? = nil
    ) -> Self {
        var capture = SnapshotCapture(own: own, expecting: count, below: roots, named: named)
        capture.run()
        return capture.snapshot
    }

    static func formerPath(_ file: Deleted) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/\(file.process)/\(file.link)", &buffer, buffer.count)
        guard count > 0 else { return "" }
        let text = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let suffix = " (deleted)"
        // Without it the number belongs to another file by now.
        return text.hasSuffix(suffix) ? String(text.dropLast(suffix.count)) : ""
    }
}

/// Fills a snapshot from `/proc`, `/sys/block` and `/proc/swaps`.
struct SnapshotCapture: ~Copyable {
    var snapshot = OpenFileSnapshot()
    private let own: OwnDescriptors?
    private let ownProcess = getpid()
    private let ownNamespace = ProcessDirectory.namespace("/proc/self/ns/mnt", at: AT_FDCWD)
    private var lineBuffer = PseudoFile.makeBuffer()
    /// Mapped files that are known already: most processes map the same libraries.
    private var seenMappings: Set<Int> = []

    /// Collects the paths that processes name; nil: not needed.
    private let collector: ProcessPathCollector?
    private let collectsNames: Bool

    private static let deletedLimit = 10_000

    init(
        own: OwnDescriptors?, expecting count: Int, below roots: [FilePath],
        named: [FileIdentity: OpenFileSnapshot.Use]?
    ) {
        self.own = own
        collector =
            roots.isEmpty ? nil : ProcessPathCollector(below: roots, withLinksAndMounts: false)
        collectsNames = named == nil
        snapshot.named = named ?? [:]
        snapshot.uses.reserveCapacity(count)
    }

    mutating func run() {
        guard let proc = try? ProcessDirectory.open("/proc", at: AT_FDCWD) else { return }
        snapshot.isAvailable = true
        for process in ProcessDirectory.processes(in: proc.rawValue) {
            add(process: process, at: proc.rawValue)
        }
        addNamedFiles()
        addLoopDevices()
        addSwapFiles()
    }

    // MARK: - Processes

    private mutating func add(process: Int32, at proc: Int32) {
        guard let directory = try? ProcessDirectory.open("\(process)", at: proc) else { return }
        do throws(Errno) {
            // Kernel threads and zombies run no program; a program that we may not see is an error.
            _ = try add(link: "exe", at: directory.rawValue, .executable, process)
        } catch .noSuchFileOrDirectory, .noSuchProcess {
            return
        } catch {
            snapshot.unreadableProcesses += 1
            if collectsNames { collector?.add(process, at: directory.rawValue, nil) }
            return
        }
        snapshot.processes += 1
        // What fails from here on has vanished with its process.
        _ = try? add(link: "cwd", at: directory.rawValue, .workingDirectory, process)
        let root = try? add(link: "root", at: directory.rawValue, .rootDirectory, process)
        let namespace = ProcessDirectory.namespace("ns/mnt", at: directory.rawValue)
        if collectsNames {
            let key = root.flatMap { root in
                namespace == 0
                    ? nil : ProcessPathCollector.TreeKey(namespace: namespace, root: root)
            }
            collector?.add(process, at: directory.rawValue, key)
        }
        addDescriptors(of: process, at: directory.rawValue)
        addMappings(of: process, at: directory.rawValue, namespace: namespace)
    }

    private mutating func add(
        link: String, at directory: Int32, _ kind: OpenFileSnapshot.Kind, _ process: Int32
    ) throws(Errno) -> FileIdentity {
        var status = CHeadroomShims.statx()
        try ProcessDirectory.follow(link, at: directory, &status)
        record(status, kind, process, link: link)
        return FileStatus(status).identity
    }

    private mutating func addDescriptors(of process: Int32, at directory: Int32) {
        guard let table = try? ProcessDirectory.open("fd", at: directory) else { return }
        addDescriptors(of: process, in: table.rawValue)
    }

    private mutating func addDescriptors(of process: Int32, in table: Int32) {
        let isOwn = process == ownProcess
        unsafe withUnsafeTemporaryAllocation(byteCount: 32_768, alignment: 8) { buffer in
            while let count = try? retrying({
                unsafe hr_getdents64(table, buffer.baseAddress, buffer.count)
            }), count > 0 {
                var entries = unsafe DirectoryEntries(
                    UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                while let entry = entries.next() {
                    var status = CHeadroomShims.statx()
                    // Closed meanwhile, or a server that does not answer: nothing to know.
                    guard
                        (try? unsafe LinuxCalls.callStatx(
                            table, entry.name.base, flags: ProcessDirectory.followFlags, &status))
                            != nil
                    else { continue }
                    if isOwn, let own, let number = Self.number(entry.name),
                        !own.counts(number, FileStatus(status))
                    {
                        continue
                    }
                    record(
                        status, .open, process,
                        link: status.stx_nlink == 0 ? "fd/" + entry.name.owned.text : "")
                }
            }
        }
    }

    /// Adds the files that processes name, and the directories of deleted files that they have mapped.
    private mutating func addNamedFiles() {
        guard let survey = collector?.survey else { return }
        if collectsNames { snapshot.named = survey.named }
        for path in survey.paths
        where path.kind == .deletedMapping && snapshot.uses[path.identity] == nil {
            snapshot.uses[path.identity] = .init(kind: .mapped, process: path.process)
        }
    }

    // MARK: - Mappings

    /// - Parameter namespace: its mount namespace: the same text means the same file only within one.
    private mutating func addMappings(of process: Int32, at directory: Int32, namespace: UInt64) {
        var lines = lineBuffer
        lineBuffer = []
        var files = MapFiles(directory)
        // What is not where the text said has been unmapped, or moved: the new text tells.
        var moved: [UInt64] = []
        for attempt in 1...Self.mappingAttempts {
            var movedNow: [UInt64] = []
            do throws(Errno) {
                unsafe try PseudoFile.forEachLine(of: "maps", at: directory, buffer: &lines) {
                    line in
                    let inode = unsafe addMapping(
                        line, process, at: directory, &files, namespace: namespace,
                        isLast: attempt == Self.mappingAttempts)
                    if let inode { movedNow.append(inode) }
                }
            } catch {
                // A process that ends meanwhile maps nothing any more; of one that cannot be asked again
                // nobody knows where it maps what it had.
                if error == .noSuchProcess || error == .noSuchFileOrDirectory { break }
                for inode in moved + movedNow { snapshot.mappedInodes[inode] = process }
                break
            }
            moved = movedNow
            if moved.isEmpty { break }
        }
        lineBuffer = lines
    }

    private static let mappingAttempts = 4

    /// The links to the files that a process has mapped. The directory is opened only for a mapping that no process
    /// before had.
    private struct MapFiles: ~Copyable {
        private let process: Int32
        private var opened: Descriptor?
        private var isClosed = false

        /// - Parameter process: its directory below `/proc`.
        init(_ process: Int32) {
            self.process = process
        }

        /// The descriptor of the directory, or nil if this user can't open it.
        var descriptor: Int32? {
            mutating get {
                if opened == nil, !isClosed {
                    opened = try? ProcessDirectory.open("map_files", at: process)
                    isClosed = opened == nil
                }
                return opened?.rawValue
            }
        }
    }

    /// A line is `start-end perms offset major:minor inode path`.
    ///
    /// - Parameter isLast: what is not there protects every file with its inode number.
    /// - Returns: the inode number of what is not mapped there any more, unless that was the last attempt.
    private mutating func addMapping(
        _ line: UnsafeRawBufferPointer, _ process: Int32, at directory: Int32,
        _ files: inout MapFiles, namespace: UInt64, isLast: Bool
    ) -> UInt64? {
        var reader = unsafe FieldReader(line)
        let range = reader.next()
        _ = reader.next()
        _ = reader.next()
        let device = reader.next()
        guard let inode = reader.number(reader.next()), inode != 0 else { return nil }
        var hasher = Hasher()
        hasher.combine(namespace)
        unsafe hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: line[device.lowerBound...]))
        let text = hasher.finalize()
        guard seenMappings.insert(text).inserted else { return nil }
        if let collector, unsafe ProcessPathCollector.isDeleted(line) {
            var rest = reader
            collector.addDeletedMapping(rest.unescaped(rest.rest()), of: process, at: directory)
        }

        var status = CHeadroomShims.statx()
        if let files = files.descriptor {
            let link = Self.linkName(reader.text(range))
            let failure = Self.failure(link, at: files, &status)
            if failure == .noSuchFileOrDirectory, !isLast {
                seenMappings.remove(text)
                return inode
            }
            if failure == nil {
                record(status, .mapped, process, link: "map_files/" + link)
                // They agree where maps and stat speak of the same inode. If they do not (btrfs,
                // older overlayfs), the number protects whatever file was meant.
                let seen = UInt64(status.stx_dev_major) << 32 | UInt64(status.stx_dev_minor)
                if status.stx_ino == inode, reader.device(device, radix: 16) == seen {
                    return nil
                }
                snapshot.mappedInodes[inode] = process
                return nil
            }
        }
        // Closed to us: then what has the name tells, if it is that very file. Not in another mount namespace: what
        // is an overlay there may be its lower layer here, under the same name and with the same number. Nor on file
        // systems without a block device: one behind a network may never answer.
        if namespace != 0, namespace == ownNamespace,
            let seen = reader.device(device, radix: 16), seen >> 32 != 0
        {
            let path = String(decoding: reader.unescaped(reader.rest()), as: UTF8.self)
            let failure = Self.failure(path, at: AT_FDCWD, &status)
            let found = UInt64(status.stx_dev_major) << 32 | UInt64(status.stx_dev_minor)
            if failure == nil, status.stx_ino == inode, found == seen {
                record(status, .mapped, process, link: "")
                return nil
            }
        }
        snapshot.hasExactMappings = false
        snapshot.mappedInodes[inode] = process
        return nil
    }

    private static func failure(
        _ link: String, at files: Int32, _ status: inout CHeadroomShims.statx
    ) -> Errno? {
        do throws(Errno) {
            try ProcessDirectory.follow(link, at: files, &status)
            return nil
        } catch {
            return error
        }
    }

    /// The name in `map_files` of a range in `maps`, where the numbers are padded with zeros.
    private static func linkName(_ range: String) -> String {
        range.split(separator: "-").map { part in
            let digits = part.drop { $0 == "0" }
            return digits.isEmpty ? "0" : String(digits)
        }.joined(separator: "-")
    }

    // MARK: - The kernel's own

    private mutating func addLoopDevices() {
        guard let block = try? ProcessDirectory.open("/sys/block", at: AT_FDCWD) else { return }
        for name in ProcessDirectory.names(in: block.rawValue)
        where name.starts(with: Array("loop".utf8)) {
            let file = "\(String(decoding: name, as: UTF8.self))/loop/backing_file"
            // A loop device without a file has no such attribute.
            guard let path = try? PseudoFile.lines(of: file, at: block.rawValue).first else {
                continue
            }
            addFile(at: path, .loopDevice)
        }
    }

    private mutating func addSwapFiles() {
        // No swap, or a sandbox that hides it.
        guard let lines = try? PseudoFile.lines(of: "/proc/swaps") else { return }
        for line in lines.dropFirst() {
            unsafe line.withUnsafeBytes { bytes in
                var reader = unsafe FieldReader(bytes)
                // mutation: s5h-1
                addFile(at: reader.unescaped(reader.next()), .swap)
            }
        }
    }

    private mutating func addFile(at path: [UInt8], _ kind: OpenFileSnapshot.Kind) {
        guard path.first == 0x2F else { return }
        var status = CHeadroomShims.statx()
        let terminated = path.map { CChar(bitPattern: $0) } + [0]
        // A path of another mount namespace, or of a file that is deleted: nothing to protect.
        guard
            (try? unsafe LinuxCalls.callStatx(
                AT_FDCWD, terminated, flags: ProcessDirectory.followFlags, &status)) != nil
        else { return }
        record(status, kind, 0, link: "")
    }

    // MARK: - Recording

    @inline(__always)
    private mutating func record(
        _ status: CHeadroomShims.statx, _ kind: OpenFileSnapshot.Kind, _ process: Int32,
        link: String
    ) {
        switch FileType(mode: UInt32(status.stx_mode)) {
        // Sockets, devices and anonymous inodes are nothing that a purge could remove.
        case .socket, .characterDevice, .unknown: return
        case .regular, .directory, .symbolicLink, .fifo, .blockDevice: break
        }
        let identity = FileIdentity(
            device: UInt64(status.stx_dev_major) << 32 | UInt64(status.stx_dev_minor),
            inode: status.stx_ino)
        let known = snapshot.uses.updateValue(.init(kind: kind, process: process), forKey: identity)
        if let known {
            // The first use found is the one that is told.
            snapshot.uses[identity] = known
        } else if status.stx_nlink == 0, snapshot.deleted.count < Self.deletedLimit {
            snapshot.deleted.append(
                .init(
                    process: process, link: link, identity: identity,
                    allocatedSize: ByteCount(Int64(clamping: status.stx_blocks) &* 512)))
        }
    }

    // MARK: - Calls

    static func number(_ name: EntryName) -> Int32? {
        var value: Int32 = 0
        for index in 0..<name.count {
            let byte = unsafe name.bytes[index]
            guard (0x30...0x39).contains(byte), value < 200_000_000 else { return nil }
            value = value * 10 + Int32(byte - 0x30)
        }
        return value
    }
}
#endif
