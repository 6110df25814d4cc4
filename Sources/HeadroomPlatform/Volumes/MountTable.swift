//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
public import SystemPackage

/// The mounts of this process's name space, as they were at one moment.
public struct MountTable: Sendable {
    /// In the order in which the kernel lists them: a mount stands behind what it covers.
    public let mounts: [Mount]
    private let byID: [UInt64: Int]

    public init(_ mounts: [Mount]) {
        self.mounts = mounts
        var byID: [UInt64: Int] = [:]
        for (index, mount) in mounts.enumerated() { byID[mount.id] = index }
        self.byID = byID
    }

    /// The mount of a status' ``FileStatus/mountID``.
    public func mount(id: UInt64) -> Mount? {
        byID[id].map { mounts[$0] }
    }

    /// The mount that a path without links, `.` and `..` lies on, by the names alone; nothing is
    /// touched.
    ///
    /// - Complexity: O(mounts).
    public func mount(at path: FilePath) -> Mount? {
        var best: Mount?
        for mount in mounts where path.lies(in: mount.point) {
            // Of two mounts at one place the later covers the earlier.
            if mount.point.depth >= best?.point.depth ?? 0 { best = mount }
        }
        return best
    }

    /// Where a place is within its file system, the same by whichever mount it is reached.
    package struct Location: Hashable, Sendable {
        package let device: UInt64
        package let path: FilePath

        package func contains(_ other: Location) -> Bool {
            device == other.device && other.path.lies(in: path)
        }
    }

    /// The location of a resolved path.
    ///
    /// - Parameter mountID: of the status of the file at `path`; 0: by the names.
    /// - Returns: nil if the table does not know the mount, or the path does not lie below it.
    package func location(of path: FilePath, mountID: UInt64) -> Location? {
        guard let mount = mountID == 0 ? mount(at: path) : mount(id: mountID) else { return nil }
        return path.moved(from: mount.point, to: mount.root).map {
            Location(device: mount.device, path: $0)
        }
    }
}

#if os(Linux)
extension MountTable {
    /// Reads the mounts of this process (`/proc/self/mountinfo`). Does not touch the volumes.
    public static func current() throws(Errno) -> MountTable {
        let content = try SmallFile.read("/proc/self/mountinfo", limit: 64 << 20)
        return last.withLock { last in
            if let last, last.content == content { return last.table }
            let table = MountTable(parsing: content)
            last = (content, table)
            return table
        }
    }

    /// Parsing takes far longer than reading, and mounts change rarely.
    private static let last = Mutex<(content: [UInt8], table: MountTable)?>(nil)

    /// Parses what proc(5) describes as `/proc/pid/mountinfo`; lines that are none are left out.
    package init(parsing content: [UInt8]) {
        self.init(content.split(separator: UInt8(ascii: "\n")).compactMap(Self.mount))
    }

    /// `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue`
    private static func mount(_ line: ArraySlice<UInt8>) -> Mount? {
        let fields = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        // Optional fields end at a single hyphen; a type may contain one, but not be one.
        guard fields.count >= 10,
            let separator = fields[6...].firstIndex(where: { $0.elementsEqual("-".utf8) }),
            fields.count >= separator + 4,
            let id = UInt64(String(decoding: fields[0], as: UTF8.self))
        else { return nil }
        let device = fields[2].split(separator: UInt8(ascii: ":")).map {
            UInt32(String(decoding: $0, as: UTF8.self))
        }
        guard device.count == 2, let major = device[0], let minor = device[1] else { return nil }
        let options = fields[5].split(separator: UInt8(ascii: ","))
        let superOptions = fields[separator + 3].split(separator: UInt8(ascii: ","))
        func isSet(_ option: String, in options: [ArraySlice<UInt8>]) -> Bool {
            options.contains { $0.elementsEqual(option.utf8) }
        }
        let type = String(decoding: fields[separator + 1], as: UTF8.self)
        return Mount(
            id: id, device: UInt64(major) << 32 | UInt64(minor),
            root: FilePath(bytes: OctalEscapes.resolved(fields[3])),
            point: FilePath(bytes: OctalEscapes.resolved(fields[4])),
            type: type,
            source: String(decoding: OctalEscapes.resolved(fields[separator + 2]), as: UTF8.self),
            isReadOnly: isSet("ro", in: options) || isSet("ro", in: superOptions),
            isNoatime: isSet("noatime", in: options),
            layers: type == "overlay" ? superOptions.flatMap(Self.layers) : [])
    }

    /// The directories of `lowerdir=/a:/b`, `upperdir=/c` and the like (the kernel's
    /// `Documentation/filesystems/overlayfs.rst`); none of another option.
    private static func layers(_ option: ArraySlice<UInt8>) -> [FilePath] {
        guard let equals = option.firstIndex(of: UInt8(ascii: "=")) else { return [] }
        let value = OctalEscapes.resolved(option[(equals + 1)...])
        let names: [[UInt8]]
        switch String(decoding: option[..<equals], as: UTF8.self) {
        case "lowerdir": names = split(value)
        case "upperdir", "workdir", "lowerdir+", "datadir+": names = [value]
        default: return []
        }
        // As it was given: with backslashes before commas and colons, or by the newer calls without.
        // mutation: s11h-8
        let plain = names.map(unescaped)
        return Set(names + plain).filter { !$0.isEmpty }.map { FilePath(bytes: $0) }
    }

    /// The parts of a list, at colons that no backslash stands before.
    private static func split(_ value: [UInt8]) -> [[UInt8]] {
        var parts: [[UInt8]] = [[]]
        var isEscaped = false
        for byte in value {
            // mutation: s11h-7
            if byte == UInt8(ascii: ":"), !isEscaped {
                parts.append([])
            } else {
                parts[parts.count - 1].append(byte)
            }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return parts
    }

    private static func unescaped(_ name: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        var isEscaped = false
        for byte in name {
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            if !isEscaped { plain.append(byte) }
        }
        return plain
    }
}
#endif

#if canImport(Darwin)
import Darwin

extension MountTable {
    /// Reads the mounts that the kernel knows (`getfsstat` with `MNT_NOWAIT`). Does not wait for the
    /// volumes.
    public static func current() throws(Errno) -> MountTable {
        let count = unsafe getfsstat(nil, 0, MNT_NOWAIT)
        guard count >= 0 else { throw .current }
        // Room for what is mounted between the two calls.
        let capacity = Int(count) + 16
        var failure: Errno?
        // In an expression the name of the struct is that of the call.
        typealias Status = statfs
        let table = unsafe [Status](unsafeUninitializedCapacity: capacity) { buffer, filled in
            let result = unsafe getfsstat(
                buffer.baseAddress, Int32(capacity * MemoryLayout<statfs>.stride), MNT_NOWAIT)
            if result < 0 { failure = .current } else { filled = Int(result) }
        }
        if let failure { throw failure }
        return MountTable(table.map { Mount($0) })
    }
}

extension Mount {
    init(_ status: statfs) {
        func text<T>(_ tuple: T) -> [UInt8] {
            unsafe withUnsafeBytes(of: tuple) { unsafe Array($0.prefix { $0 != 0 }) }
        }
        self.init(
            id: 0, device: UInt64(UInt32(bitPattern: status.f_fsid.val.0)), root: "/",
            point: FilePath(bytes: text(status.f_mntonname)),
            type: String(decoding: text(status.f_fstypename), as: UTF8.self),
            source: String(decoding: text(status.f_mntfromname), as: UTF8.self),
            isReadOnly: status.f_flags & UInt32(MNT_RDONLY) != 0,
            isNoatime: status.f_flags & UInt32(MNT_NOATIME) != 0)
    }
}
#endif
