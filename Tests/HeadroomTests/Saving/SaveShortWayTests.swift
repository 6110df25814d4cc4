//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// When names in directories go by their paths, and when no more.
@Suite(
    "R3: the short way of names in directories",
    .enabled(if: LinuxCalls.probeOpenat2(), "needs openat2"))
struct SaveShortWayTests {
    /// What was open below the directory when the last file was made.
    private final class Opened: Sendable { let count = Atomic(0) }

    private let fixture: StorageFixture
    private let directory: FilePath
    private let storage: Storage
    private let opened: Opened

    init() throws {
        let fixture = try StorageFixture()
        let opened = Opened()
        let directory = fixture.base.path.appending("home/.cache/Podcaster")
        storage = try Storage(
            home: fixture.base.path.appending("home"),
            environment: ["TMPDIR": fixture.base.path.appending("tmp").string],
            owner: "Podcaster", ledgerDirectory: fixture.base.path.appending("ledger"),
            step: { step in
                guard step == .made else { return }
                opened.count.store(
                    OpenDescriptors.count(below: directory.string), ordering: .relaxed)
            })
        (self.fixture, self.directory, self.opened) = (fixture, directory, opened)
        try fixture.tree.directory("elsewhere/Trip")
        #expect(try !goesByPath("Trip/1"))
        #expect(try goesByPath("Trip/2"))
    }

    private func save(_ name: String, _ durability: Durability = .none) throws(StorageError) {
        try storage.save(Data(name.utf8), as: .cache, named: name, durability: durability)
    }

    /// Saves, and tells whether nothing was open but the file.
    private func goesByPath(_ name: String) throws(StorageError) -> Bool {
        try save(name)
        return opened.count.load(ordering: .relaxed) == 1
    }

    private func expectRefusal(of name: String, _ durability: Durability) {
        let error = #expect(throws: StorageError.self) { try save(name, durability) }
        #expect(error?.code == .refused)
    }

    // What is synced goes by the path of its directory, which is open then.

    @Test(arguments: [Durability.none, .full])
    func isLeftOpenByALinkBelow(_ durability: Durability) throws {
        try fixture.tree.symbolicLink("home/.cache/Podcaster/sub", to: "../../../elsewhere")
        for _ in 0..<2 {
            expectRefusal(of: "sub/3", durability)
            #expect(try goesByPath("Trip/3"))
        }
        #expect(try fixture.names("elsewhere") == ["Trip"])
    }

    @Test(arguments: [Durability.none, .full])
    func isClosedByALinkOnTheWay(_ durability: Durability) throws {
        try fixture.tree.rename("home/.cache/Podcaster", to: "elsewhere/Podcaster")
        try fixture.tree.symbolicLink("home/.cache/Podcaster", to: "../../elsewhere/Podcaster")
        for number in 3..<6 { try save("Trip/\(number)", durability) }
        #expect(try fixture.names("elsewhere/Podcaster/Trip") == ["1", "2", "3", "4", "5"])
    }

    @Test func isFoundAgainInADirectoryThatWasMadeAnew() throws {
        try FileManager.default.removeItem(atPath: directory.string)
        #expect(try !goesByPath("Trip/3"))
        #expect(try goesByPath("Trip/4"))
    }

    @Test func isFoundAgainBySomethingSynced() throws {
        try FileManager.default.removeItem(atPath: directory.string)
        try save("Trip/3", .full)
        #expect(try goesByPath("Trip/4"))
        #expect(try fixture.names("home/.cache/Podcaster/Trip") == ["3", "4"])
    }

    @Test(.enabled(if: Privilege.canMount, "needs root, to mount"))
    func isFoundAgainOverAMountOnTheDirectory() throws {
        let mount = try MountedImage.bind(
            fixture.base.path.appending("elsewhere"), at: directory)
        #expect(try !goesByPath("Trip/3"))
        #expect(try goesByPath("Trip/4"))
        #expect(try fixture.names("elsewhere/Trip") == ["3", "4"])
        withExtendedLifetime(mount) {}
    }

    @Test(
        .enabled(if: Privilege.canMount, "needs root, to mount"),
        arguments: [Durability.none, .full])
    func aMountBelowIsNotWrittenToAgain(_ durability: Durability) throws {
        let mount = try MountedImage.bind(
            fixture.base.path.appending("elsewhere"), at: directory.appending("Trip"))
        expectRefusal(of: "Trip/3", durability)
        // Nothing is made there and removed again either.
        try fixture.tree.age("elsewhere", by: .seconds(1_000))
        let before = try fixture.tree.status(of: "elsewhere").modified
        for number in 4..<7 { expectRefusal(of: "Trip/\(number)", durability) }
        #expect(try fixture.tree.status(of: "elsewhere").modified == before)
        // Others find their way again.
        #expect(try !goesByPath("Other/1"))
        #expect(try goesByPath("Other/2"))
        withExtendedLifetime(mount) {}
    }

    /// What replaces a file is compared by that.
    @Test(
        .enabled(if: Privilege.canMount, "needs root, to mount"),
        arguments: [Durability.none, .full])
    func aFileOfAMountBelowIsNotReplaced(_ durability: Durability) throws {
        try fixture.tree.file("elsewhere/1", text: "theirs")
        for _ in 0..<2 { try save("Trip/1", durability) }
        #expect(try goesByPath("Trip/1"))
        let mount = try MountedImage.bind(
            fixture.base.path.appending("elsewhere"), at: directory.appending("Trip"))
        for _ in 0..<2 { expectRefusal(of: "Trip/1", durability) }
        #expect(try fixture.names("elsewhere") == ["1", "Trip"])
        #expect(try fixture.tree.contents(of: "elsewhere/1") == Array("theirs".utf8))
        withExtendedLifetime(mount) {}
    }

    /// Then there is nothing to compare it by but the new file itself.
    @Test(
        .enabled(if: Privilege.canMount, "needs root, to mount"),
        arguments: [Durability.none, .full])
    func somethingNewIsNotLeftOnAMountAfterReplacing(_ durability: Durability) throws {
        for _ in 0..<2 { try save("Trip/1", durability) }
        let mount = try MountedImage.bind(
            fixture.base.path.appending("elsewhere"), at: directory.appending("Trip"))
        expectRefusal(of: "Trip/new", durability)
        #expect(try fixture.names("elsewhere") == ["Trip"])
        withExtendedLifetime(mount) {}
    }

    @Test func replacingGoesOnByPath() throws {
        for round in 0..<3 {
            #expect(try goesByPath("Trip/1"), "\(round)")
            #expect(try goesByPath("Trip/new-\(round)"), "\(round)")
        }
        #expect(
            try fixture.names("home/.cache/Podcaster/Trip")
                == ["1", "2", "new-0", "new-1", "new-2"])
    }
}

/// A name that leads to another device, and not to another mount.
@Suite("R3: names in subvolumes")
struct SaveSubvolumeTests {
    @Test(
        .enabled(
            if: Privilege.canMount(.btrfs) && LinuxCalls.probeOpenat2(),
            "needs root, to mount a btrfs"),
        arguments: [["1", "2", "3", "4", "5"], ["1", "1", "1", "1", "1"]])
    func theirFilesAreMadeOnce(_ names: [String]) throws {
        let image = try MountedImage(.btrfs)
        try withExtendedLifetime(image) {
            try checkFilesAreMadeOnce(StorageFixture(on: .at(image.path)), names)
        }
    }

    /// A subvolume numbers what is made in it one after the other.
    private func checkFilesAreMadeOnce(_ fixture: StorageFixture, _ names: [String]) throws {
        let place: TreePath = "home/.cache/Podcaster/sub"
        func save(_ name: String) throws -> UInt64 {
            try fixture.storage.save(Data(name.utf8), as: .cache, named: "sub/" + name)
            return try fixture.tree.status(of: place / TreePath(name)).identity.inode
        }
        try fixture.storage.save(Data("x".utf8), as: .cache, named: "beside")
        let path = fixture.tree.path(place).string
        let made = try ChildProcess.run("btrfs", ["subvolume", "create", path])
        try #require(made.succeeded, "\(made.errors)")
        // Twice the way is still looked for; a name that is replaced has to be there first.
        for name in names.prefix(2) { _ = try save(name) }
        if Set(names).count == 1 { _ = try save(names[2]) }
        let first = try save(names[2])
        #expect(try save(names[3]) == first + 1)
        #expect(try save(names[4]) == first + 2)
        #expect(try fixture.names(place) == Set(names).sorted())
        _ = try ChildProcess.run("btrfs", ["subvolume", "delete", path])
    }
}
#endif
