//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A home of its own with a storage in it, and a ledger beside it.
struct StorageFixture {
    // Before the image: it is removed first.
    let base: TemporaryDirectory
    let storage: Storage
    private let image: MountedImage?

    init(on place: TemporaryDirectory.Base = .memory) throws {
        try self.init(base: TemporaryDirectory(on: place), image: nil)
    }

    /// A home on a small volume of its own; needs root.
    ///
    /// - Parameter inodes: how many files and directories it may hold; nil: any number.
    init(volume size: ByteCount, inodes: Int? = nil) throws {
        let image = try MountedImage.tmpfs(size: size, inodes: inodes)
        try self.init(base: TemporaryDirectory(on: .at(image.path)), image: image)
    }

    private init(base: TemporaryDirectory, image: MountedImage?) throws {
        self.base = base
        self.image = image
        try base.tree.directory("home")
        try base.tree.directory("tmp")
        storage = try Self.storage(base)
    }

    private static func storage(
        _ base: TemporaryDirectory, after time: Duration = .zero, minIdle: MinIdle = .none
    ) throws -> Storage {
        let clock = { @Sendable in Timestamp.wallClock().advanced(by: time) }
        return try Storage(
            home: base.path.appending("home"),
            environment: ["TMPDIR": base.path.appending("tmp").string],
            owner: "Podcaster", ledgerDirectory: base.path.appending("ledger"), clock: clock,
            sampleClocks: {
                // Both clocks have moved on, not the wall clock alone.
                ClockSample(wall: clock(), sinceBoot: SystemBoot.elapsed + time, boot: 1)
            }, minIdle: minIdle)
    }

    /// The same storage as another process would find it some time later.
    func storage(after time: Duration, minIdle: MinIdle = .none) throws -> Storage {
        try Self.storage(base, after: time, minIdle: minIdle)
    }

    /// The directory of temporary files.
    var temporary: TreePath { "tmp/Podcaster-\(User.effective)" }

    /// Starts `Tests/StorageDriver`, a process that shares home and ledger.
    func startDriver(
        _ arguments: [String], owner: String = "Racer"
    ) throws -> ChildProcess {
        try ChildProcess(
            try #require(BuiltProgram.path("StorageDriver")),
            [base.path.appending("home").string, base.path.appending("ledger").string, owner]
                + arguments)
    }

    /// As another process of the same owner would have it.
    func anotherProcess() throws -> Storage { try Self.storage(base) }

    var tree: Tree { base.tree }

    /// What stands at a URL.
    func contents(_ url: URL) throws -> Data { try Data(contentsOf: url) }

    /// The names in a directory, without those of directories below, and without the tag by which
    /// caches are left out of backups.
    func names(_ path: TreePath) throws -> [String] {
        try tree.names(in: path).map(\.text).filter { $0 != "CACHEDIR.TAG" }.sorted()
    }
}

extension Data {
    /// Bytes that differ from block to block, so that a shift would show.
    static func pattern(_ count: Int, seed: UInt8 = 1) -> Data {
        // After this many bytes the same ones come again.
        let period = Data((0..<1792).map { UInt8(truncatingIfNeeded: $0 / 7 &+ $0 &* Int(seed)) })
        var data = Data(capacity: count + period.count)
        while data.count < count { data.append(period) }
        return data.prefix(count)
    }
}
