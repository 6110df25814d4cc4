//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// What each mechanism tells, and what it does not.
@Suite(.serialized) struct ChangeWatchTests {
    static let mechanisms: [WatchMechanism] = Privilege.isRoot ? [.inotify, .fanotify] : [.inotify]

    let directory: TemporaryDirectory
    let tree: Tree

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        tree = directory.tree
        try tree.files(2, in: "in")
        try tree.directory("out")
    }

    private func watch(_ mechanism: WatchMechanism) throws -> any ChangeWatch {
        let descriptor = try tree.open()
        let watch = try Watching.make(
            on: descriptor.rawValue, type: "tmpfs", mechanism: mechanism)
        #expect(watch.mechanism == mechanism)
        return watch
    }

    private func add(_ watch: any ChangeWatch, _ path: TreePath, as id: UInt32) throws {
        let descriptor = try tree.open(path)
        try watch.watch(descriptor.rawValue, as: id)
    }

    @Test(arguments: mechanisms)
    func tellsWhatWasDoneBeforeItWasAsked(_ mechanism: WatchMechanism) throws {
        let watch = try watch(mechanism)
        defer { watch.close() }
        try add(watch, "in", as: 7)
        #expect(watch.take().isEmpty)
        try tree.file("in/new", text: "x")
        try tree.directory("in/sub")
        try tree.rename("in/new", to: "in/other")
        try tree.setPermissions(0o700, of: "in/sub")
        let batch = watch.take()
        #expect(!batch.isIncomplete)
        #expect(Array(batch.directories.keys) == [7])
        let change = try #require(batch.directories[7])
        #expect(Set(change.names.keys.map(\.text)) == ["new", "other", "sub"])
        #expect(change.names[FileName(unchecked: Array("new".utf8))] == .touched)
        #expect(
            change.names[FileName(unchecked: Array("sub".utf8))] == [.touched, .replacedDirectory])
        #expect(watch.take().isEmpty, "once")
    }

    @Test(arguments: mechanisms)
    func tellsNothingOfWhatIsNotWatched(_ mechanism: WatchMechanism) throws {
        let watch = try watch(mechanism)
        defer { watch.close() }
        try add(watch, "in", as: 1)
        try add(watch, "out", as: 2)
        try tree.file("elsewhere/f", text: "x")
        #expect(watch.take().isEmpty)
        watch.forget(2)
        try tree.file("out/f", text: "x")
        // The system's own word that a watch has ended is none of ours.
        #expect(watch.take().directories[1] == nil)
        try tree.file("in/f", text: "x")
        #expect(watch.take().directories.keys.contains(1))
    }

    @Test(arguments: mechanisms)
    func tellsBothWhoWatchOneDirectory(_ mechanism: WatchMechanism) throws {
        let watch = try watch(mechanism)
        defer { watch.close() }
        try add(watch, "in", as: 1)
        try add(watch, "in", as: 2)
        try tree.file("in/f", text: "x")
        #expect(Set(watch.take().directories.keys) == [1, 2])
        watch.forget(1)
        try tree.file("in/g", text: "x")
        #expect(Set(watch.take().directories.keys) == [2])
    }

    @Test(arguments: mechanisms)
    func tellsAttributesWritingAndLinksByTheirNames(_ mechanism: WatchMechanism) throws {
        let watch = try watch(mechanism)
        defer { watch.close() }
        try add(watch, "in", as: 1)
        let names = try tree.names(in: "in")
        let (first, second) = (TreePath("in") / TreePath([names[0]]), names[1])
        try tree.setTimes(of: first, modified: Timestamp(seconds: 5))
        #expect(watch.take().directories[1]?.names.keys.map(\.text) == [names[0].text])
        try tree.hardLink("in/link", to: TreePath("in") / TreePath([second]))
        let linked = try #require(watch.take().directories[1])
        #expect(linked.names.keys.contains(FileName(unchecked: Array("link".utf8))))
    }

    /// Names of thousands of files are not kept; those of directories are, since they may be others.
    @Test(arguments: mechanisms)
    func keepsFewNames(_ mechanism: WatchMechanism) throws {
        let watch = try watch(mechanism)
        defer { watch.close() }
        try add(watch, "in", as: 1)
        try tree.directory("in/sub")
        for round in 0..<30 {
            for index in 0..<100 { try tree.file(TreePath("in/\(round)-\(index)")) }
        }
        let change = try #require(watch.take().directories[1])
        #expect(change.concernsAllFiles)
        #expect(change.names.keys.map(\.text) == ["sub"])
    }

    @Test(arguments: mechanisms)
    func tellsNothingAnyMoreWhenItIsClosed(_ mechanism: WatchMechanism) throws {
        let watch = try watch(mechanism)
        try add(watch, "in", as: 1)
        watch.close()
        watch.close()
        try tree.file("in/f", text: "x")
        #expect(watch.take().isEmpty)
    }

    @Test func tellsThatADirectoryIsNotWatchedAnyMore() throws {
        let watch = try watch(.inotify)
        defer { watch.close() }
        try tree.directory("gone")
        try add(watch, "gone", as: 3)
        try tree.remove("gone")
        try tree.directory("gone")
        #expect(watch.take().directories[3]?.concernsTree == true)
    }

    @Test(arguments: ["nfs4", "fuse.sshfs", "overlay", "9p", "proc", ""])
    func watchesNoFileSystemThatOthersChange(_ type: String) throws {
        let descriptor = try tree.open()
        #expect(throws: Watching.Obstacle.fileSystem(type)) {
            try Watching.make(on: descriptor.rawValue, type: type)
        }
    }
}
#endif
