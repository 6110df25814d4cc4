//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// How entries are opened and looked at, on each route: S2, S3, S5, S12.
struct FileCallTests {
    let directory: TemporaryDirectory
    private var tree: Tree { directory.tree }

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        try tree.file("d/sub/file", text: "x")
        try tree.symbolicLink("d/link", to: "sub/file")
        try tree.symbolicLink("d/way", to: "sub")
    }

    private func outcome(
        _ name: String, in path: TreePath = "d",
        _ body: (EntryName, Int32) throws(Errno) -> Int32
    ) throws -> Errno? {
        let parent = try tree.open(path)
        return try #require(FileName(name)).withEntryName { entry in
            do throws(Errno) {
                _ = Descriptor(owning: try body(entry, parent.rawValue))
                return nil
            } catch {
                return error
            }
        }
    }

    @Test(arguments: CallRoute.allCases, [false, true])
    func aLinkIsNotOpenedAsAFile(route: CallRoute, writing: Bool) throws {
        let error = try outcome("link") { (name, parent) throws(Errno) in
            try route.calls.openFile(name, at: parent, writing: writing)
        }
        #expect(error == .tooManySymbolicLinkLevels)
    }

    @Test(arguments: CallRoute.allCases, [false, true])
    func aLinkIsNotOpenedAsADirectory(route: CallRoute, crossing: Bool) throws {
        let error = try outcome("way") { (name, parent) throws(Errno) in
            try route.calls.openDirectory(name, at: parent, crossingMounts: crossing)
        }
        #expect(error == .tooManySymbolicLinkLevels || error == .notDirectory)
    }

    @Test func aRootThatIsALinkIsNotOpened() {
        let error = #expect(throws: Errno.self) {
            _ = try Descriptor.openDirectory(tree.path("d/way"))
        }
        #expect(error == .notDirectory || error == .tooManySymbolicLinkLevels)
    }

    @Test(.tags(.s2a), arguments: CallRoute.allCases, [false, true])
    func noLinkIsFollowedOnAWay(route: CallRoute, crossing: Bool) throws {
        try tree.symbolicLink("round", to: "d")
        let way = [try #require(FileName("round")), try #require(FileName("sub"))]
        let error = try outcome("d", in: "") { (_, parent) throws(Errno) in
            try route.calls.openDirectory(beneath: parent, path: way, crossingMounts: crossing)
        }
        #expect(error == .tooManySymbolicLinkLevels || error == .notDirectory)
    }

    @Test(arguments: CallRoute.allCases)
    func aLinkIsLookedAtItself(route: CallRoute) throws {
        let parent = try tree.open("d")
        let status = try #require(FileName("link")).withEntryName { entry in
            try? route.calls.status(of: entry, at: parent.rawValue)
        }
        #expect(status?.type == .symbolicLink)
    }

    #if os(Linux)
    /// `/proc/self/fd/N` leads anywhere at all, across mounts and without a path.
    @Test(.tags(.s2a), arguments: [CallRoute.linux, .linuxWithoutOpenat2])
    func aLinkOfTheKernelIsNotFollowed(route: CallRoute) throws {
        let target = try tree.open("d/sub")
        let descriptors = try Descriptor.openDirectory("/proc/thread-self/fd")
        let name = try #require(FileName("\(target.rawValue)"))
        let error: Errno? = name.withEntryName { entry in
            do throws(Errno) {
                _ = Descriptor(
                    owning: try route.calls.openDirectory(
                        entry, at: descriptors.rawValue, crossingMounts: false))
                return nil
            } catch {
                return error
            }
        }
        #expect(error == .tooManySymbolicLinkLevels || error == .notDirectory)
    }

    @Test(
        .tags(.s3a), .enabled(if: Privilege.canMount, "needs root to mount"),
        arguments: [CallRoute.linux, .linuxWithoutOpenat2])
    func aMountIsNotEntered(route: CallRoute) throws {
        try tree.directory("d/sub/mount")
        // Of the same device, and of another.
        let same = try MountedImage.bind(tree.path("d/sub"), at: tree.path("d/sub/mount"))
        let entered = try outcome("mount", in: "d/sub") { (name, parent) throws(Errno) in
            try route.calls.openDirectory(name, at: parent, crossingMounts: false)
        }
        #expect(entered == .improperLink)
        let way = [try #require(FileName("sub")), try #require(FileName("mount"))]
        let passed = try outcome("sub") { (_, parent) throws(Errno) in
            try route.calls.openDirectory(beneath: parent, path: way, crossingMounts: false)
        }
        #expect(passed == .improperLink)
        withExtendedLifetime(same) {}
    }

    /// Opening without waiting is what makes it harmless to ask.
    @Test(arguments: CallRoute.allCases)
    func openingAFileThatIsHeldDoesNotWait(route: CallRoute) throws {
        let use = ExclusiveUse.acquire(
            try PathCalls.open(tree.path("d/sub/file"), O_RDONLY | O_CLOEXEC))
        guard case .granted(let held) = use else {
            throw FixtureError("lease", on: "file", details: "not granted")
        }
        let error = try outcome("file", in: "d/sub") { (name, parent) throws(Errno) in
            try route.calls.openFile(name, at: parent, writing: false)
        }
        #expect(error == .resourceTemporarilyUnavailable)
        _ = consume held
    }

    @Test(arguments: [CallRoute.linux, .linuxWithoutOpenat2])
    func lookingAtAFileIsNoUseOfIt(route: CallRoute) throws {
        let disk = try TemporaryDirectory(on: .disk)
        try disk.tree.file("file", text: "x")
        let past = Timestamp(seconds: 1_000_000_000)
        try disk.tree.setTimes(of: "file", accessed: past, modified: past)
        let parent = try disk.tree.open()
        try #require(FileName("file")).withEntryName { entry in
            guard
                let opened = try? route.calls.openFile(
                    entry, at: parent.rawValue, writing: false)
            else { return }
            let file = Descriptor(owning: opened)
            var byte: UInt8 = 0
            unsafe #expect(read(file.rawValue, &byte, 1) == 1)
        }
        #expect(try disk.tree.status(of: "file").accessed == past)
    }

    @Test("Looking at a file by its path is no use of it")
    func looksByPath() throws {
        let disk = try TemporaryDirectory(on: .disk)
        try disk.tree.file("file", text: "x")
        let past = Timestamp(seconds: 1_000_000_000)
        try disk.tree.setTimes(of: "file", accessed: past, modified: past)
        let path = disk.path.appending("file")
        _ = try RegularFile(opening: path, isLook: true).read(1, at: 0)
        #expect(try disk.tree.status(of: "file").accessed == past)
    }
    #endif
}
