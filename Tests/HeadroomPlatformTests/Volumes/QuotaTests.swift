//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Glibc
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// What is read of quotas, against what the kernel says of them by its other interface.
@Suite(
    .enabled(
        if: QuotaImage.canBeMade,
        "needs root, python3, and a kernel that keeps quotas of ext4 (CONFIG_QFMT_V2)"))
struct QuotaTests {
    private static let user: UInt32 = 54_321
    private let image: QuotaImage

    init() throws { image = try QuotaImage() }

    /// What the quotas leave to a user in a directory.
    private func room(in directory: FilePath, as user: UInt32 = 0) throws -> QuotaRoom {
        let rooms = Mutex<[Result<QuotaRoom, any Error>]>([])
        let thread = try WorkerThread {
            let room = Result<QuotaRoom, any Error> {
                let descriptor = try PathCalls.openDirectory(directory)
                if user != 0 { try Privilege.becomeOnThisThread(user) }
                return SystemQuotas().room(at: descriptor.rawValue)
            }
            rooms.withLock { $0.append(room) }
        }
        thread.join()
        return try #require(rooms.withLock { $0.first }).get()
    }

    @Test(.tags(.r5f)) func aUsersQuotaIsRead() throws {
        let place = image.path.appending("theirs")
        try image.tree.directory("theirs")
        unsafe #expect(chown(place.string, Self.user, Self.user) == 0)
        #expect(try room(in: place, as: Self.user) == .unlimited)
        try image.limit(.user, Self.user, kibibytes: 8_192, inodes: 100)
        try image.tree.file("theirs/a", size: .mebibytes(3))
        unsafe #expect(chown(place.appending("a").string, Self.user, Self.user) == 0)
        let used = try image.usage(.user, Self.user)
        #expect(used.bytes >= 3 << 20)
        #expect(
            try room(in: place, as: Self.user)
                == QuotaRoom(
                    bytes: .mebibytes(8) - ByteCount(used.bytes), inodes: 100 - UInt64(used.inodes))
        )
        // It is theirs alone.
        #expect(try room(in: place) == .unlimited)
    }

    @Test(.tags(.r5f)) func aProjectsQuotaIsReadOfItsDirectoriesAlone() throws {
        try image.tree.directory("project")
        let place = image.path.appending("project")
        try image.join(place, project: 77)
        try image.limit(.project, 77, kibibytes: 4_096, inodes: 50)
        try image.tree.file("project/a", size: .mebibytes(1))
        let used = try image.usage(.project, 77)
        #expect(used.bytes >= 1 << 20)
        #expect(
            try room(in: place)
                == QuotaRoom(
                    bytes: .mebibytes(4) - ByteCount(used.bytes), inodes: 50 - UInt64(used.inodes)))
        #expect(try room(in: image.path) == .unlimited)
        // And so the volume has no more for whoever writes there.
        let available = try #require(try Volume.containing(place).available)
        #expect(available == .mebibytes(4) - ByteCount(used.bytes))
    }
}

/// An ext4 that keeps quotas of users and projects.
private final class QuotaImage {
    enum Kind: Int { case user = 0, project = 2 }

    private let image: MountedImage
    private let device: String
    var path: FilePath { image.path }
    var tree: Tree { image.tree }

    static let canBeMade: Bool = {
        guard Privilege.isRoot, Privilege.has(program: "mkfs.ext4"),
            Privilege.has(program: "python3")
        else { return false }
        // Why it failed matters to nobody: the test says what it needs.
        return (try? QuotaImage()) != nil
    }()

    init() throws {
        image = try MountedImage(
            .ext4, size: .mebibytes(64),
            formatting: ["-O", "quota,project", "-E", "quotatype=usrquota:prjquota"],
            options: ["usrquota", "prjquota"])
        let path = image.path
        guard
            let source = try MountTable.current().mounts.last(where: { $0.point == path })?.source
        else { throw FixtureError("find the device", on: path.string, details: "not mounted") }
        device = source
    }

    func join(_ directory: FilePath, project: Int) throws {
        for arguments in [["-p", "\(project)"], ["+P"]] {
            try run("chattr", arguments + [directory.string])
        }
    }

    func limit(_ kind: Kind, _ number: some BinaryInteger, kibibytes: Int, inodes: Int) throws {
        _ = try call(
            0x80_0008, kind, Int(number),
            "struct.pack('=8QI', \(kibibytes), 0, 0, \(inodes), 0, 0, 0, 0, 5)")
    }

    func usage(_ kind: Kind, _ number: some BinaryInteger) throws -> (bytes: Int64, inodes: Int64) {
        let words = try call(0x80_0007, kind, Int(number), "bytes(72)").split(separator: " ")
        guard words.count >= 9, let bytes = Int64(words[2]), let inodes = Int64(words[5]) else {
            throw FixtureError("quotactl", on: device, details: "\(words)")
        }
        return (bytes, inodes)
    }

    /// quotactl(2) with an `if_dqblk`, whose fields are given back.
    private func call(_ command: Int, _ kind: Kind, _ number: Int, _ fields: String) throws
        -> String
    {
        try run(
            Holder.python,
            [
                "-c",
                """
                import ctypes, os, struct, sys
                libc = ctypes.CDLL(None, use_errno=True)
                block = ctypes.create_string_buffer(\(fields) + bytes(8))
                command = ctypes.c_int((\(command) << 8) | \(kind.rawValue))
                if libc.quotactl(command, b'\(device)', \(number), block):
                    sys.exit(os.strerror(ctypes.get_errno()))
                print(*struct.unpack('=8QI', block.raw[:68]))
                """,
            ])
    }

    @discardableResult
    private func run(_ program: String, _ arguments: [String]) throws -> String {
        let result = try ChildProcess.run(program, arguments)
        guard result.succeeded else {
            throw FixtureError(
                program, on: arguments.last ?? "", details: result.errors)
        }
        return result.output
    }
}
#endif
