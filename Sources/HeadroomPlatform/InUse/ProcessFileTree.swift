//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import CHeadroomShims
import Glibc
import SystemPackage

/// The file tree as the processes of one mount namespace with one root directory see it.
///
/// Paths are resolved name by name, and the results are cached: the paths of many processes have the same
/// beginnings. The kernel never follows a link here, since an absolute link would lead it to this process's
/// own root. File systems that may not answer are not accessed.
final class ProcessFileTree {
    /// The file at a path without links.
    private enum Node {
        case missing
        case link([UInt8])
        case file(FileStatus)
    }

    /// Where a path leads.
    struct Resolution {
        /// The plain path, without links, `.` and `..`.
        var path: [UInt8]
        /// The longest beginning of the plain path that exists, and its status.
        var existing: [UInt8]
        var status: FileStatus?
        /// The plain paths of the links on the way, the last name included.
        var links: [(path: [UInt8], status: FileStatus)] = []

        var exists: Bool { status != nil && existing == path }
    }

    /// Whether it is the tree of this process.
    let isOwn: Bool
    /// Of `/proc/PID/root`; of this process, its root.
    private let base: Descriptor
    private let mountinfo: String
    static let tableLimit = 16 << 20
    private let roots: [FilePath]
    private var nodes: [PathKey: Node] = [:]
    private var linkStatus: [PathKey: FileStatus] = [:]

    /// The bytes of a path, hashed at once: an array hashes its bytes one by one.
    private struct PathKey: Hashable {
        let bytes: [UInt8]

        func hash(into hasher: inout Hasher) {
            unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        }
    }

    /// - Parameters:
    ///   - process: one of the processes that see it; nil: this process.
    ///   - roots: directories of this process that have answered just now: their file systems are accessed.
    init(of process: Int32?, trusting roots: [FilePath]) throws(Errno) {
        isOwn = process == nil
        self.roots = process == nil ? roots : []
        mountinfo = process.map { "/proc/\($0)/mountinfo" } ?? "/proc/self/mountinfo"
        let root = process.map { "/proc/\($0)/root" } ?? "/"
        let flags = Int32(HR_O_PATH) | O_DIRECTORY | O_CLOEXEC
        base = Descriptor(owning: try retrying { unsafe hr_openat(AT_FDCWD, root, flags, 0) })
    }

    /// The lines of `mountinfo`; none if the process has ended.
    private(set) lazy var table: [UInt8] =
        (try? ProcessDirectory.content(of: mountinfo, at: AT_FDCWD, limit: Self.tableLimit)) ?? []

    /// The mounts of the tree.
    private(set) lazy var mounts = MountTable(parsing: table)

    /// Mount points that are not accessed, because they may not answer.
    private lazy var silentPoints: Set<[UInt8]> = {
        var points: Set<[UInt8]> = []
        // Without a mount table, all mounts are accessed.
        unsafe PseudoFile.forEachLine(in: table) { line in
            guard let mount = unsafe MountLine(line) else { return }
            let type = mount.type
            guard type == "autofs" || type.hasPrefix("fuse") || Mount.isNetwork(type) else {
                return
            }
            let point = mount.point
            if !roots.contains(where: { $0.lies(in: point) }) { points.insert(point.bytes) }
        }
        return points
    }()

    /// What is mounted at each mount point.
    private(set) lazy var mounted = MountedContent(parsing: table)

    private static let linkLimit = 40

    /// Resolves an absolute path.
    ///
    /// - Returns: nil for a path that leads to a file system that may not answer, or in circles.
    func resolve(_ path: some Collection<UInt8>) -> Resolution? {
        let key = PathKey(bytes: Array(path))
        if let known = resolutions[key] { return known }
        let found = find(key.bytes)
        resolutions[key] = .some(found)
        return found
    }

    private var resolutions: [PathKey: Resolution?] = [:]

    private func find(_ path: [UInt8]) -> Resolution? {
        var rest = Self.names(path)
        var plain: [UInt8] = []
        var found = Resolution(path: [], existing: [], status: nil)
        var isMissing = false
        var budget = Self.linkLimit
        while let name = rest.popLast() {
            if name.elementsEqual(".".utf8) { continue }
            if name.elementsEqual("..".utf8) {
                let end = plain.lastIndex(of: UInt8(ascii: "/")) ?? 0
                plain.removeSubrange(end...)
                continue
            }
            plain.append(UInt8(ascii: "/"))
            plain += name
            if isMissing { continue }
            guard let node = node(at: plain) else { return nil }
            switch node {
            case .missing: isMissing = true
            case .file(let status):
                found.existing = plain
                found.status = status
            case .link(let target):
                budget -= 1
                if budget < 0 { return nil }
                if let status = linkStatus[PathKey(bytes: plain)] {
                    found.links.append((plain, status))
                }
                if target.first == UInt8(ascii: "/") {
                    plain = []
                } else {
                    plain.removeSubrange((plain.lastIndex(of: UInt8(ascii: "/")) ?? 0)...)
                }
                rest += Self.names(target)
            }
        }
        found.path = plain
        // After `..` the last one found is not the one that is meant.
        if !isMissing, found.existing != plain {
            guard !plain.isEmpty, case .file(let status)? = node(at: plain) else { return nil }
            found.existing = plain
            found.status = status
        }
        return found
    }

    /// The status of a plain path; nil if it does not exist or is a link.
    func status(_ plain: [UInt8]) -> FileStatus? {
        guard case .file(let status)? = node(at: plain) else { return nil }
        return status
    }

    /// The names of a path, in reverse order.
    private static func names(_ path: [UInt8]) -> [ArraySlice<UInt8>] {
        path.split(separator: UInt8(ascii: "/")).reversed()
    }

    /// - Returns: nil if its file system is not asked.
    private func node(at plain: [UInt8]) -> Node? {
        let key = PathKey(bytes: plain)
        if let known = nodes[key] { return known }
        if silentPoints.contains(plain) { return nil }
        let node = ask(plain)
        nodes[key] = node
        return node
    }

    private func ask(_ plain: [UInt8]) -> Node {
        let relative = plain.dropFirst().map { CChar(bitPattern: $0) } + [0]
        var status = CHeadroomShims.statx()
        // A path whose status can't be read for any reason counts as missing.
        guard
            (try? unsafe LinuxCalls.callStatx(
                base.rawValue, relative,
                flags: AT_SYMLINK_NOFOLLOW | ProcessDirectory.followFlags, &status)) != nil
        else { return .missing }
        let found = FileStatus(status)
        guard found.type == .symbolicLink else { return .file(found) }
        guard
            let target = unsafe ProcessDirectory.target(ofPath: relative, at: base.rawValue)
        else { return .missing }
        linkStatus[PathKey(bytes: plain)] = found
        return .link(target)
    }
}
#endif
