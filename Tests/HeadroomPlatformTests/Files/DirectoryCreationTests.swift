//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

struct DirectoryCreationTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory(on: .memory) }

    private var tree: Tree { directory.tree }

    private func error(_ path: FilePath) -> Errno? {
        #expect(throws: Errno.self) { _ = try DirectoryCreation.open(path) }
    }

    @Test func whatIsMissingIsMadeForItsUserAlone() throws {
        _ = try DirectoryCreation.open(tree.path("a/b/c"))
        for path in ["a", "a/b", "a/b/c"] as [TreePath] {
            #expect(try tree.status(of: path).permissions & 0o7777 == 0o700)
        }
        // Again, it is there.
        _ = try DirectoryCreation.open(tree.path("a/b/c"))
    }

    @Test func aLinkToADirectoryIsFollowed() throws {
        try tree.directory("disk")
        try tree.symbolicLink("link", to: "disk")
        _ = try DirectoryCreation.open(tree.path("link/x/y"))
        #expect(tree.exists("disk/x/y"))
    }

    /// As `~/.cache` is one to a disk that is not mounted: nothing is made, and nobody tries for ever.
    @Test(.timeLimit(.minutes(1)), arguments: ["link", "link/x", "link/x/y/z"] as [TreePath])
    func aLinkThatLeadsNowhereIsAnError(path: TreePath) throws {
        try tree.symbolicLink("link", to: "not/mounted")
        #expect(error(tree.path(path)) == .noSuchFileOrDirectory)
        #expect(try tree.names() == [FileName("link")])
    }

    #if os(Linux)
    @Test(.timeLimit(.minutes(1)), arguments: ["/proc/headroom", "/proc/headroom/x"] as [FilePath])
    func whereNothingCanBeMadeThatIsAnError(path: FilePath) {
        #expect(error(path) == .noSuchFileOrDirectory)
    }
    #endif

    @Test func aFileOnTheWayIsAnError() throws {
        try tree.file("file")
        #expect(error(tree.path("file")) == .notDirectory)
        #expect(error(tree.path("file/x")) == .notDirectory)
    }
}
