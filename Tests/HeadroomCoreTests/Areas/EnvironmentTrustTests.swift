//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("Directories that variables name")
struct EnvironmentTrustTests {
    private let directory: TemporaryDirectory
    private var home: FilePath { directory.path.appending("home") }

    init() throws {
        directory = try TemporaryDirectory(on: .disk)
        try directory.tree.directory("home/.cache")
    }

    private func purgeable(_ environment: [String: String]) -> (roots: [FilePath], notes: [String])
    {
        let layout = Layout.xdg(environment: environment, home: home)
        let roots = layout.areas.filter { $0.purgeClass != .essential }.map(\.root)
        return (roots, layout.notes.map(\.text))
    }

    @Test(
        "Adds no area for a cache directory that isn't one", .tags(.s11b, .r42a, .r42b, .r42c),
        arguments: [
            ("project/.git/HEAD", "project", "contains a repository (.git)"),
            ("project/Cargo.toml", "project", "contains a project (Cargo.toml)"),
            ("project/go.mod", "project/sub/.cache", "lies in"),
            ("data/photo.jpg", "data", "contains files of yours (photo.jpg)"),
            ("data/x", "data", "known to hold only caches"),
            ("home/.cache/package.json", "home/.cache/inner", "contains a project"),
        ])
    func refuses(file: String, value: String, why: String) throws {
        try directory.tree.file(TreePath(stringLiteral: file), size: .kilobytes(1))
        let path = directory.path.pushing(FilePath(value))
        try directory.tree.directory(
            TreePath(stringLiteral: value))
        let (roots, notes) = purgeable(["XDG_CACHE_HOME": path.string, "TMPDIR": "/no/such"])
        #expect(!roots.contains(path.lexicallyNormalized()))
        #expect(notes.contains { $0.contains(why) && $0.contains("XDG_CACHE_HOME") }, "\(notes)")
    }

    @Test("Adds a directory that is named .cache, or is tagged as a cache", .tags(.r42a))
    func addsDedicatedDirectories() throws {
        for name in ["fast/ann/.cache", "fast/tagged"] {
            try directory.tree.directory(TreePath(stringLiteral: name))
        }
        try directory.tree.file(
            "fast/tagged/CACHEDIR.TAG",
            text: "Signature: 8a477f597d28d172789f06886806bc55\n")
        for name in ["fast/ann/.cache", "fast/tagged"] {
            let path = directory.path.pushing(FilePath(name))
            #expect(purgeable(["XDG_CACHE_HOME": path.string]).roots.contains(path), "\(name)")
        }
    }

    @Test(
        "As root, adds no cache directory that another user owns or can write to",
        .tags(.s11b, .r42d),
        .enabled(if: Privilege.isRoot, "needs root to give files away"))
    func rootRefusesDirectoriesOfOthers() throws {
        let given = directory.path.pushing("given/.cache")
        let open = directory.path.pushing("open/.cache")
        for name in ["given/.cache", "open/.cache"] {
            try directory.tree.directory(TreePath(stringLiteral: name))
        }
        let result = try ChildProcess.run("chown", ["12345", given.string])
        try #require(result.succeeded, "\(result)")
        try directory.tree.setPermissions(0o777, of: "open/.cache")
        for path in [given, open] {
            let (roots, notes) = purgeable(["XDG_CACHE_HOME": path.string, "TMPDIR": "/no/such"])
            #expect(!roots.contains(path))
            #expect(notes.contains { $0.contains("isn't root's alone") }, "\(notes)")
        }
    }

    @Test(
        "Takes TMPDIR only in a known location, and never replaces it by /tmp", .tags(.s11b, .r42a))
    func temporaryDirectory() throws {
        try directory.tree.directory("scratch")
        let path = directory.path.appending("scratch")
        let isKnown = path.starts(with: "/tmp")
        #expect(purgeable(["TMPDIR": path.string]).roots.contains(path) == isKnown)
        let (roots, notes) = purgeable(["TMPDIR": "/usr/share"])
        #expect(!roots.contains("/usr/share") && !roots.contains("/tmp"))
        #expect(notes.contains { $0.contains("TMPDIR is /usr/share") })
        #expect(purgeable([:]).roots.contains("/tmp"))
    }

    @Test("Follows a link from ~/.cache to a directory of the user", .tags(.r42g))
    func followsOwnLink() throws {
        try directory.tree.remove("home/.cache")
        try directory.tree.directory("big/caches/app")
        try directory.tree.symbolicLink("home/.cache", to: "../big/caches")
        #expect(purgeable(["TMPDIR": "/no"]).roots.contains(directory.path.appending("big/caches")))
        // Not if a project is there.
        try directory.tree.directory("big/caches/.git")
        let (roots, notes) = purgeable(["TMPDIR": "/no"])
        #expect(!roots.contains(directory.path.appending("big/caches")))
        #expect(notes.contains { $0.contains("contains a repository") })
    }

    @Test(
        "Adds no area for a disk that is mounted below a known location, or a directory on it",
        .tags(.r42b),
        .enabled(if: Privilege.canMount, "needs root to mount"), arguments: ["disk", "disk/run"])
    func refusesMountsBelowKnownLocations(name: String) throws {
        let shared = try TemporaryDirectory(on: .at("/tmp"))
        try directory.tree.file("data/run/1.npz", size: .kilobytes(1))
        for mount in [shared.path.appending("disk"), home.appending(".cache/disk")] {
            try Tree(root: mount.removingLastComponent()).directory("disk")
            let bound = try MountedImage.bind(directory.path.appending("data"), at: mount)
            defer { withExtendedLifetime(bound) {} }
            let path = mount.removingLastComponent().pushing(FilePath(name))
            let (roots, notes) = purgeable(["TMPDIR": path.string, "XDG_CACHE_HOME": path.string])
            #expect(!roots.contains(path))
            #expect(notes.contains { $0.contains("TMPDIR is \(path)") }, "\(notes)")
            #expect(notes.contains { $0.contains("XDG_CACHE_HOME is \(path)") }, "\(notes)")
        }
        try Tree(root: shared.path).directory("own")
        let own = shared.path.appending("own")
        #expect(purgeable(["TMPDIR": own.string]).roots.contains(own))
    }

    @Test(
        "Does not follow a link from ~/.cache to a directory that is no cache", .tags(.r42g),
        arguments: [
            "home/work", "home/.thunderbird", "home/.gnupg/cache", "home/.config/app/cache",
            "home/.local/share/app", "big/.ssh", "big/Documents/sub", "big/profile",
        ])
    func refusesLink(target: String) throws {
        try directory.tree.remove("home/.cache")
        try directory.tree.file(TreePath(stringLiteral: "\(target)/x.bin"), size: .kilobytes(1))
        try directory.tree.directory("big/profile/.mozilla")
        try directory.tree.symbolicLink("home/.cache", to: "../\(target)")
        let path = directory.path.pushing(FilePath(target))
        let (roots, notes) = purgeable(["TMPDIR": "/no"])
        #expect(!roots.contains(path))
        #expect(notes.contains { $0.contains("is a link to \(path)") }, "\(notes)")
        let named = purgeable(["TMPDIR": "/no", "XDG_CACHE_HOME": home.appending(".cache").string])
        #expect(!named.roots.contains(path) && !named.roots.contains(home.appending(".cache")))
    }

    @Test(
        "Follows a link from ~/.cache to a directory that is named or tagged as a cache, or lies elsewhere",
        .tags(.r42g),
        arguments: ["home/big/cache", "home/caches-1", "home/tagged", "big/ann"])
    func followsLink(target: String) throws {
        try directory.tree.remove("home/.cache")
        try directory.tree.directory(TreePath(stringLiteral: "\(target)/app"))
        try directory.tree.directory("home/tagged")
        try directory.tree.file(
            "home/tagged/CACHEDIR.TAG", text: "Signature: 8a477f597d28d172789f06886806bc55\n")
        try directory.tree.symbolicLink("home/.cache", to: "../\(target)")
        let path = directory.path.pushing(FilePath(target))
        #expect(purgeable(["TMPDIR": "/no"]).roots.contains(path))
    }

    @Test(
        "Lets a cache directory that is a project be none, though its location is known",
        .tags(.r42b))
    func knownLocationCanBeProject() throws {
        try directory.tree.directory("home/.cache/.git")
        #expect(!purgeable(["TMPDIR": "/no"]).roots.contains(home.appending(".cache")))
        // The home itself may be under version control.
        try directory.tree.remove("home/.cache/.git")
        try directory.tree.directory("home/.git")
        #expect(purgeable(["TMPDIR": "/no"]).roots.contains(home.appending(".cache")))
    }

    @Test("Takes the temporary directory of the home's state for TMPDIR", .tags(.r42a))
    func acceptsTemporaryDirectoryOfState() throws {
        try directory.tree.file("home/.local/state/tmp/job/x", size: .kilobytes(1))
        let path = home.appending(".local/state/tmp")
        let (roots, notes) = purgeable(["TMPDIR": path.string])
        #expect(roots.contains(path))
        #expect(!notes.contains { $0.contains("TMPDIR") }, "\(notes)")
    }
}
