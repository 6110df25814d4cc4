//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
public import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// One volume, and what it said about itself when it was asked.
public struct Volume: Hashable, Sendable {
    /// Where it is mounted.
    public var mountPoint: FilePath
    /// The name of the file-system type: `ext4`, `tmpfs`.
    public var type: String
    /// What is mounted, for people.
    public var source: String
    /// The device number of the mount. Of btrfs no file has it: see `mountIDs`.
    public var device: UInt64
    /// The mounts by which the volume is reached, as ``FileStatus/mountID`` has them; empty where the
    /// system does not number them.
    package var mountIDs: Set<UInt64> = []
    public var isReadOnly: Bool
    /// Access times say nothing about last use here.
    public var isNoatime: Bool
    /// Stores nothing: shows the kernel's or a program's data as files.
    public var isPseudo: Bool
    /// Nil if the volume did not answer within the time limit, or answered with ``error``.
    public var figures: VolumeFigures?
    /// What the quotas of the user and of the directory's project leave; nil: no limit.
    public var quotaBytes: ByteCount?
    /// What the same quotas leave in inodes; nil: no limit.
    public var quotaInodes: UInt64?
    /// Why there are no figures: `ETIMEDOUT` if it did not answer in time.
    public var error: Errno?

    public init(mount: Mount) {
        mountPoint = mount.point
        type = mount.type
        source = mount.source
        device = mount.device
        isReadOnly = mount.isReadOnly
        isNoatime = mount.isNoatime
        isPseudo = mount.isPseudo
    }

    /// Whether it did not answer in time.
    public var isHanging: Bool { error == .timedOut }

    /// What a user may still write: what the volume has available, and no more than quotas leave.
    public var available: ByteCount? {
        figures.map { min($0.available, quotaBytes ?? $0.available) }
    }

    /// The inodes a user may still make; nil if unknown or not limited.
    public var availableInodes: UInt64? {
        [figures?.availableInodes, quotaInodes].compactMap { $0 }.min()
    }

    /// How long a volume may take to answer before it is shown as not answering.
    public static let timeLimit: Duration = .seconds(2)

    static let hanging = Hanging<FilePath>()
}

// MARK: - Of a path

extension Volume {
    /// The volume of a path, or of its nearest existing ancestor, asked now.
    ///
    /// Blocks the calling thread, no longer than about the limit. Links are followed.
    ///
    /// - Parameter path: a relative path is looked up in the working directory.
    /// - Throws: `ETIMEDOUT` if the volume did not answer while it was looked for; `EACCES` where a
    ///   directory on the way may not be searched; what open(2) says.
    public static func containing(
        _ path: FilePath, timeLimit: Duration = Volume.timeLimit
    ) throws(Errno) -> Volume {
        try containing(path, timeLimit: timeLimit, quotas: SystemQuotas())
    }

    package static func containing(
        _ path: FilePath, timeLimit: Duration, quotas: any QuotaReading
    ) throws(Errno) -> Volume {
        // Opening may hang as well as asking: both are done in the limited thread.
        let call = try hanging.start(path) { Self.result(path, quotas) }
        guard let result = call?.wait(until: .now.advanced(by: timeLimit)) else { throw .timedOut }
        return try result.get()
    }

    static func result(
        _ path: FilePath, _ quotas: any QuotaReading
    ) -> Result<Volume, Errno> {
        Result { () throws(Errno) in try ask(path, quotas) }
    }

    private static func ask(
        _ path: FilePath, _ quotas: any QuotaReading
    ) throws(Errno) -> Volume {
        let place = try openNearest(path)
        let status = try ResolvedDirectory.status(place.rawValue)
        #if os(Linux)
        let (mount, table) = try mount(of: status)
        var volume = Volume(mount: mount)
        volume.mountIDs = Set(table.mounts.filter { $0.device == mount.device }.map(\.id))
        #else
        var answer = statfs()
        _ = try retrying { unsafe fstatfs(place.rawValue, &answer) }
        var volume = Volume(mount: Mount(answer))
        #endif
        try volume.fill(from: place.rawValue, isDirectory: status.type == .directory, quotas)
        return volume
    }

    #if os(Linux)
    /// The mount that a file is on, and the table in which it was found.
    private static func mount(of status: FileStatus) throws(Errno) -> (Mount, MountTable) {
        // The kernel gives the table in pieces: one that is read while something is unmounted may lack lines.
        for _ in 0..<3 {
            let table = try MountTable.current()
            // Linux before 5.8 does not tell the mount of a file.
            let known = status.mountID == 0 ? nil : table.mount(id: status.mountID)
            let mount = known ?? table.mounts.last { $0.device == status.identity.device }
            if let mount { return (mount, table) }
        }
        throw .noSuchFileOrDirectory
    }
    #endif

    /// Opens the path, or the nearest directory around it that exists.
    private static func openNearest(_ path: FilePath) throws(Errno) -> Descriptor {
        var current = path.isEmpty ? "." : path
        while true {
            do {
                return Descriptor(
                    owning: try retrying {
                        unsafe current.withPlatformString {
                            unsafe hr_openat(AT_FDCWD, $0, Self.searchFlags, 0)
                        }
                    })
            } catch {
                // ENOTDIR: something on the way is a file; the path can never be, its volume is that
                // of the file all the same.
                guard error == .noSuchFileOrDirectory || error == .notDirectory else { throw error }
                if current == "/" || current == "." { throw error }
                if current.depth <= 1 {
                    current = current.isAbsolute ? "/" : "."
                } else {
                    current = current.removingLastComponent()
                }
            }
        }
    }

    #if os(Linux)
    private static let searchFlags = Int32(HR_O_PATH) | O_CLOEXEC
    #else
    private static let searchFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    #endif

    private mutating func fill(
        from descriptor: Int32, isDirectory: Bool, _ quotas: any QuotaReading
    ) throws(Errno) {
        let answer = try VolumeFigures(of: descriptor)
        figures = answer
        isReadOnly = isReadOnly || answer.isReadOnly
        // What has no blocks at all stores nothing, whatever it is called.
        isPseudo = isPseudo || answer.total == .zero
        guard !isPseudo, isDirectory else { return }
        // Quotas are asked through a descriptor that is really open, not O_PATH. Where the directory
        // may not be read, no quota is known, and the volume's own figure stands.
        guard
            let opened = try? retrying({
                unsafe hr_openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
            })
        else { return }
        let directory = Descriptor(owning: opened)
        let room = quotas.room(at: directory.rawValue)
        quotaBytes = room.bytes
        quotaInodes = room.inodes
    }
}

// MARK: - All

extension Volume {
    /// The machine's volumes, each once, in the order of the mount table, all asked now and at the
    /// same time.
    ///
    /// Pseudo file systems are left out unless asked for. A volume mounted in several places appears
    /// with the first that shows its root. One that does not answer is there without figures.
    /// Blocks the calling thread, no longer than about the limit.
    ///
    /// - Throws: what reading the mount table says.
    public static func all(
        includingPseudo: Bool = false, timeLimit: Duration = Volume.timeLimit
    ) throws(Errno) -> [Volume] {
        try all(
            of: MountTable.current(), includingPseudo: includingPseudo, timeLimit: timeLimit,
            quotas: SystemQuotas())
    }

    package static func all(
        of table: MountTable, includingPseudo: Bool, timeLimit: Duration,
        quotas: any QuotaReading
    ) throws(Errno) -> [Volume] {
        // One thread each, so that the slow ones are waited for side by side.
        let calls = distinct(table, includingPseudo).map { mount in
            let call = Result { () throws(Errno) in
                try hanging.start(mount.point) { Self.answer(mount, quotas) }
            }
            return (mount: mount, call: call)
        }
        let deadline = ContinuousClock.now.advanced(by: timeLimit)
        return calls.map { mount, call in
            var volume = Volume(mount: mount)
            do throws(Errno) {
                guard let answer = try call.get()?.wait(until: deadline) else { throw .timedOut }
                volume = answer
            } catch {
                volume.error = error
            }
            return volume
        }
    }

    /// Asks one mounted volume.
    private static func answer(_ mount: Mount, _ quotas: any QuotaReading) -> Volume {
        var volume = Volume(mount: mount)
        do throws(Errno) {
            let place = Descriptor(
                owning: try retrying {
                    unsafe mount.point.withPlatformString {
                        unsafe hr_openat(AT_FDCWD, $0, Self.searchFlags, 0)
                    }
                })
            let status = try ResolvedDirectory.status(place.rawValue)
            // Something else was mounted over it since the table was read.
            guard status.mountID == 0 || mount.id == 0 || status.mountID == mount.id else {
                throw .noSuchFileOrDirectory
            }
            try volume.fill(
                from: place.rawValue, isDirectory: status.type == .directory, quotas)
        } catch {
            volume.error = error
        }
        return volume
    }

    /// One mount of each file system: where its root is mounted, else the first place.
    private static func distinct(_ table: MountTable, _ includingPseudo: Bool) -> [Mount] {
        var covered: Set<UInt64> = []
        var topmost: [FilePath: UInt64] = [:]
        for mount in table.mounts where mount.id != 0 {
            if let below = topmost.updateValue(mount.id, forKey: mount.point) {
                covered.insert(below)
            }
        }
        var places: [UInt64: Int] = [:]
        var mounts: [Mount] = []
        for mount in table.mounts
        where !covered.contains(mount.id) && (includingPseudo || !mount.isPseudo) {
            if let place = places[mount.device] {
                if mount.root == "/", mounts[place].root != "/" { mounts[place] = mount }
            } else {
                places[mount.device] = mounts.count
                mounts.append(mount)
            }
        }
        return mounts
    }
}
