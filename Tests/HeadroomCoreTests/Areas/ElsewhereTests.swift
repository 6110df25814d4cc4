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

/// What is essential is so wherever it can be come to, and not by the name alone that it is declared by.
struct ElsewhereTests {
    private let directory: TemporaryDirectory
    private var tree: Tree { directory.tree }

    init() throws {
        directory = try TemporaryDirectory(on: .disk)
        for name in ["shared/ann/Documents", "shared/ann/.cache", "shared/papers", "cache/kept"]
            as [TreePath]
        {
            try tree.directory(name)
        }
        for name in [
            "shared/ann/key", "shared/ann/Documents/letter", "shared/ann/.cache/tile",
            "shared/papers/thesis", "shared/scratch", "cache/one", "cache/kept/two",
        ] as [TreePath] {
            try tree.file(name, size: .kilobytes(8))
        }
        // As /tmp: all may write, and each removes only what is theirs.
        try tree.setPermissions(0o1777, of: "shared")
    }

    private func path(_ name: String) -> FilePath { directory.path.appending(name) }

    private func open(
        home: String, _ environment: [String: String] = [:], state: String = "state"
    ) -> Workspace {
        Workspace.openedByFile(
            environment: ["TMPDIR": path("shared").string].merging(environment) { $1 },
            home: path(home), ledgerDirectory: path(state), clock: Timestamp.now)
    }

    private func goes(_ scope: Scope) throws -> [String] {
        let plan = try scope.plan(try scope.scan(), targets: [.all], through: .lastResort)
        return plan.filter { $0.unit == .file }.compactMap { $0.path.lastComponent?.string }
            .sorted()
    }

    // MARK: - Names

    @Test(.tags(.s11h)) func aHomeThatIsALinkIntoASharedDirectoryStays() throws {
        try tree.symbolicLink("home", to: "shared/ann")
        let workspace = open(home: "home")
        #expect(try goes(workspace.scope()) == ["scratch", "thesis", "tile"])
        let scope = workspace.scope()
        let receipt = try scope.purge(
            try scope.plan(try scope.scan(), targets: [.all], through: .lastResort),
            requester: "test")
        #expect(receipt.outcome == .completed)
        #expect(tree.exists("shared/ann/key"))
        #expect(tree.exists("shared/ann/Documents/letter"))
        #expect(!tree.exists("shared/scratch"))
    }

    @Test(.tags(.s11h)) func documentsThatAreALinkIntoASharedDirectoryStay() throws {
        try tree.directory("home")
        try tree.symbolicLink("home/Documents", to: "../shared/papers")
        #expect(!(try goes(open(home: "home").scope())).contains("thesis"))
    }

    @Test(.tags(.s11h)) func aPlanOfBeforeIsRefusedWhenAHomeBecomesSuchALink() throws {
        try tree.directory("home")
        // A cache in there would be an area of its own, for which the plan is refused in any case.
        let environment = ["XDG_CACHE_HOME": path("none").string]
        let before = open(home: "home", environment).scope()
        let plan = try before.plan(try before.scan(), targets: [.all], through: .lastResort)
        try tree.remove("home")
        try tree.symbolicLink("home", to: "shared/ann")
        #expect(throws: HeadroomError.self) {
            try open(home: "home", environment).scope().purge(plan, requester: "test")
        }
        #expect(tree.exists("shared/ann/key"))
    }

    #if os(Linux)
    @Test(.tags(.s11h), .enabled(if: Privilege.canMount, "needs the right to mount"))
    func aHomeThatIsMountedFromASharedDirectoryStays() throws {
        try tree.directory("home")
        let mount = try MountedImage.bind(path("shared/ann"), at: path("home"))
        defer { withExtendedLifetime(mount) {} }
        #expect(try goes(open(home: "home").scope()) == ["scratch", "thesis", "tile"])
    }

    @Test(.tags(.s11h), .enabled(if: Privilege.canMount, "needs the right to mount"))
    func whatIsMountedInAHomeStaysWhereItComesFrom() throws {
        try tree.directory("home/photos")
        let mount = try MountedImage.bind(path("shared/papers"), at: path("home/photos"))
        defer { withExtendedLifetime(mount) {} }
        let names = try goes(open(home: "home").scope())
        #expect(names.contains("scratch") && !names.contains("thesis"), "\(names)")
    }

    @Test(.tags(.s11h), .enabled(if: Privilege.canMount, "needs the right to mount"))
    func whatIsMountedInAPinnedDirectoryStaysWhereItComesFrom() throws {
        try tree.directory("home")
        try tree.directory("album/photos")
        let mount = try MountedImage.bind(path("shared/papers"), at: path("album/photos"))
        defer { withExtendedLifetime(mount) {} }
        let workspace = open(home: "home")
        try workspace.mark(path("album")) { $0.isPinned = true }
        let names = try goes(workspace.scope())
        #expect(names.contains("scratch") && !names.contains("thesis"), "\(names)")
    }

    @Test(.tags(.s11h), .enabled(if: Privilege.canMount, "needs the right to mount"))
    func anAreaThatIsAPartOfWhatIsMountedInAPinnedDirectoryStays() throws {
        for name in ["home", "volume/shared", "album/all"] as [TreePath] {
            try tree.directory(name)
        }
        try tree.file("volume/shared/photo", size: .kilobytes(8))
        let mount = try MountedImage.bind(path("volume"), at: path("album/all"))
        defer { withExtendedLifetime(mount) {} }
        let workspace = open(home: "home", ["TMPDIR": path("volume/shared").string])
        #expect(try goes(workspace.scope()) == ["photo"])
        try workspace.mark(path("album")) { $0.isPinned = true }
        #expect(try goes(workspace.scope()) == [])
    }

    /// Of what lies in the area, or of what the area lies in.
    @Test(
        .tags(.s5a), .enabled(if: Privilege.canMount, "needs the right to mount"),
        arguments: ["shared/papers", "shared", ""])
    func whatIsMountedInALeasedDirectoryIsBusyWhereItComesFrom(source: String) throws {
        try tree.directory("home")
        try tree.directory("album/photos")
        let mount = try MountedImage.bind(path(source), at: path("album/photos"))
        defer { withExtendedLifetime(mount) {} }
        let scope = open(home: "home").scope()
        let plan = try scope.plan(try scope.scan(), targets: [.all], through: .lastResort)
        do {
            let lease = try Lease.acquire(path("album"))
            _ = try? scope.purge(plan, requester: "test")
            extendLifetime(lease)
        }
        #expect(tree.exists("shared/papers/thesis"))
        _ = try scope.purge(
            try scope.plan(try scope.scan(), targets: [.all], through: .lastResort),
            requester: "test")
        // A mounted part of the area is protected by itself; the whole area is checked without its mounts.
        #expect(tree.exists("shared/papers/thesis") == (source == "shared/papers"))
    }

    /// Both show all of it: neither is a part of the other.
    @Test(.tags(.s5a), .enabled(if: Privilege.canMount, "needs the right to mount"))
    func aVolumeThatIsMountedOnceMoreInALeasedDirectoryIsBusy() throws {
        for name in ["home", "album/photos"] as [TreePath] { try tree.directory(name) }
        let volume = try MountedImage.tmpfs(size: .mebibytes(4))
        try volume.tree.file("cache/tile", size: .kilobytes(8))
        let mount = try MountedImage.bind(volume.path, at: path("album/photos"))
        defer { withExtendedLifetime(mount) {} }
        let cache = Area(
            root: volume.path.appending("cache"), purgeClass: .cache, origin: "test")
        let scope = open(home: "home").declaring([cache]).scope()
        let plan = try scope.plan(try scope.scan(), targets: [.all], through: .lastResort)
        #expect(plan.contains { $0.path.lastComponent == "tile" })
        let lease = try Lease.acquire(path("album"))
        _ = try? scope.purge(plan, requester: "test")
        extendLifetime(lease)
        #expect(volume.tree.exists("cache/tile"))
    }

    /// A home may be an overlay, as in containers and live systems.
    @Test(
        .tags(.s11h), .enabled(if: Privilege.canMount, "needs the right to mount"),
        arguments: ["upper", "lower", "below, colon:in it", "above, comma,in it", "work"])
    func whatAnOverlayIsMadeOfStays(_ layer: String) throws {
        for name in ["home", "layers/upper", "layers/lower", "layers/work"] as [TreePath] {
            try tree.directory(name)
        }
        var places = ["upper": "layers/upper", "lower": "layers/lower", "work": "layers/work"]
        let inner = "shared/\(layer)"
        let role = layer.hasPrefix("below") ? "lower" : layer.hasPrefix("above") ? "upper" : layer
        places[role] = inner
        try tree.directory(TreePath(stringLiteral: inner))
        try tree.file(TreePath(stringLiteral: "\(inner)/photo"), size: .kilobytes(8))
        func option(_ role: String) -> String {
            path(places[role] ?? "").string.replacing(":", with: "\\:").replacing(",", with: "\\,")
        }
        // Two layers below: the list of them is read as a whole.
        let options = [
            "lowerdir=\(path("cache").string):\(option("lower"))", "upperdir=\(option("upper"))",
            "workdir=\(option("work"))",
        ]
        let mounted = try ChildProcess.run(
            "mount",
            ["-t", "overlay", "-o", options.joined(separator: ","), "o", path("home").string])
        try #require(mounted.succeeded, "\(mounted)")
        defer { _ = try? ChildProcess.run("umount", [path("home").string]) }
        let names = try goes(open(home: "home").scope())
        #expect(names.contains("scratch") && !names.contains("photo"), "\(names)")
    }
    #endif

    // MARK: - What is no directory

    @Test(.tags(.s11i), arguments: ["file", "link", "link to a file"])
    func whatIsDeclaredEssentialAndIsNoDirectoryKeepsItsDirectory(_ kind: String) throws {
        try tree.directory("home")
        if kind == "file" {
            try tree.file("cache/kept/mine", size: .kilobytes(8))
        } else {
            try tree.directory("cache/version")
            try tree.file("cache/version/real", size: .kilobytes(8))
            try tree.symbolicLink(
                "cache/kept/mine", to: kind == "link" ? "../version" : "../version/real")
        }
        func declared(_ areas: [Area]) -> Scope { open(home: "home").declaring(areas).scope() }
        let cache = Area(root: path("cache"), purgeClass: .cache, origin: "test")
        #expect(try goes(declared([cache])).contains(kind == "file" ? "mine" : "real"))
        let scope = declared([
            cache, Area(root: path("cache/kept/mine"), purgeClass: .essential, origin: "mine"),
        ])
        let names = try goes(scope)
        #expect(names.contains("one"))
        for name in ["two", "mine", "real"] { #expect(!names.contains(name), "\(names)") }
        #expect(scope.notes.contains { $0.text.contains("--pin \(path("cache/kept/mine"))") })
    }

    @Test(.tags(.s11i)) func whatIsDeclaredEssentialIsNoCacheForOneRun() throws {
        try tree.directory("home")
        let workspace = open(home: "home").declaring([
            Area(root: path("cache"), purgeClass: .essential, origin: "mine")
        ])
        let error = #expect(throws: HeadroomError.self) {
            try workspace.scope(paths: [path("cache")], as: .cache)
        }
        #expect(error?.code == .refused && error?.message.contains("mine") == true)
    }

    // MARK: - Variables

    /// After a link `..` leads elsewhere than the text says.
    @Test(.tags(.s11b)) func whatIsUpwardsIsTheSystemsToSay() throws {
        try tree.directory("shared/inner")
        try tree.symbolicLink("m", to: "shared/inner")
        // The home is shared/ann, so that TMPDIR holds it; by its text it would be ann, which is not there.
        #expect(try goes(open(home: "m/../ann").scope()) == ["tile"])
        // The path leads to shared/.cache; by its text it would be .cache.
        for name in ["home", ".cache", "shared/.cache"] as [TreePath] { try tree.directory(name) }
        try tree.file(".cache/precious", size: .kilobytes(8))
        try tree.file("shared/.cache/meant", size: .kilobytes(8))
        for variable in ["TMPDIR", "XDG_CACHE_HOME"] {
            var environment = ["TMPDIR": path("none").string]
            environment[variable] = path("m/../.cache").string
            let names = try goes(open(home: "home", environment).scope())
            #expect(names == ["meant"], "\(variable)")
        }
        let documents = ["XDG_DOCUMENTS_DIR": path("m/../papers").string]
        #expect(!(try goes(open(home: "home", documents).scope())).contains("thesis"))
    }

    @Test(.tags(.s11b)) func noVariableReachesDocumentsByAnotherName() throws {
        try tree.directory("home")
        try tree.directory("home/Documents")
        try tree.directory("home/Documents/sub")
        try tree.directory("home/Documents/tmp")
        try tree.file("home/Documents/sub/diary", size: .kilobytes(8))
        try tree.file("home/Documents/tmp/diary", size: .kilobytes(8))
        try tree.symbolicLink("home/link", to: "Documents")
        try tree.symbolicLink("alias", to: "home")
        let documents = path("home/Documents").string
        let ways: [(String, [String: String])] = [
            ("home", ["TMPDIR": path("home/link/sub").string]),
            ("home", ["XDG_CACHE_HOME": path("home/link/sub").string]),
            ("alias", ["TMPDIR": "\(documents)/sub"]),
            ("home", ["XDG_STATE_HOME": documents, "TMPDIR": "\(documents)/sub"]),
            ("home", ["XDG_DATA_HOME": documents, "XDG_CACHE_HOME": "\(documents)/sub"]),
            ("home", ["XDG_STATE_HOME": documents]),
        ]
        for (home, environment) in ways {
            let workspace = open(home: home, environment)
            let names = try goes(workspace.scope())
            #expect(!names.contains("diary"), "\(home) \(environment)")
            let notes = workspace.notices + workspace.scope().notes.map(\.text)
            guard environment["TMPDIR"] != nil || environment["XDG_CACHE_HOME"] != nil else {
                continue
            }
            #expect(
                notes.contains { $0.contains("Documents") || $0.contains("XDG_CACHE_HOME is") },
                "\(environment): \(notes)")
        }
    }
}
