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

struct XDGLayoutTests {
    private func layout(_ environment: [String: String] = [:], home: FilePath = "/no/home")
        -> Layout
    {
        Layout.xdg(environment: environment, home: home)
    }

    private func purgeClass(_ layout: Layout, _ path: FilePath) -> PurgeClass? {
        AreaMap(layout.areas).area(for: path)?.purgeClass
    }

    @Test func takesTheUsualPlacesWithoutVariables() {
        let layout = layout()
        #expect(purgeClass(layout, "/no/home/.cache/pip/x") == .cache)
        #expect(purgeClass(layout, "/tmp/x") == .temporary)
        #expect(purgeClass(layout, "/no/home/.local/state/tmp/x") == .temporary)
        #expect(purgeClass(layout, "/no/home/.local/state/x") == .essential)
        #expect(purgeClass(layout, "/no/home/Documents/x") == .essential)
        #expect(purgeClass(layout, "/no/home/anything") == .essential)
        #expect(purgeClass(layout, "/usr/lib") == nil)
        #expect(layout.notes.isEmpty)
    }

    @Test("Honors the variables of the base directories", .tags(.r1a))
    func honorsVariables() {
        let layout = layout([
            "XDG_CACHE_HOME": "/big/cache", "TMPDIR": "/scratch/me", "XDG_DATA_HOME": "/big/data",
            "XDG_STATE_HOME": "/big/state",
        ])
        #expect(purgeClass(layout, "/big/cache/x") == .cache)
        #expect(purgeClass(layout, "/no/home/.cache/x") == .cache)
        #expect(purgeClass(layout, "/scratch/me/x") == .temporary)
        #expect(purgeClass(layout, "/tmp/x") == nil)
        #expect(purgeClass(layout, "/big/data/x") == .essential)
        #expect(purgeClass(layout, "/big/state/tmp/x") == .essential)
        #expect(AreaMap(layout.areas).area(for: "/big/cache/x")?.origin == "XDG_CACHE_HOME")
    }

    @Test(
        .tags(.r1a),
        arguments: [
            ("XDG_CACHE_HOME", "/"), ("XDG_CACHE_HOME", "/no/home"), ("XDG_CACHE_HOME", "/no"),
            ("XDG_CACHE_HOME", "/no/home/Documents"), ("XDG_CACHE_HOME", "/no/home/Documents/c"),
            ("XDG_CACHE_HOME", "/no/home/x/../"), ("TMPDIR", "/"), ("TMPDIR", "/no/home/"),
            ("TMPDIR", "/no/home/.config"), ("XDG_CACHE_HOME", "/no/home/.local"),
        ])
    func leavesOutVariablesThatWouldEmptyAHome(_ name: String, _ value: String) {
        let layout = layout([name: value])
        #expect(layout.notes.count == 1)
        #expect(layout.notes.first?.text.contains(name) == true)
        #expect(purgeClass(layout, "/no/home/Documents/c/x") == .essential)
        #expect(purgeClass(layout, "/no/home/.config/x") == .essential)
    }

    @Test func ignoresRelativeAndEmptyVariables() {
        let layout = layout(["XDG_CACHE_HOME": "cache", "TMPDIR": ""])
        #expect(purgeClass(layout, "/no/home/.cache/x") == .cache)
        #expect(purgeClass(layout, "/tmp/x") == .temporary)
        #expect(layout.notes.count == 1)
    }

    @Test func readsUserDirectories() throws {
        let directory = try TemporaryDirectory()
        try directory.tree.directory(".config")
        try directory.tree.file(
            ".config/user-dirs.dirs",
            text: """
                # made by hand
                XDG_DOCUMENTS_DIR="$HOME/Papers \\"old\\""
                XDG_MUSIC_DIR="/srv/music"
                XDG_VIDEOS_DIR="$HOMEX/no"
                XDG_PICTURES_DIR="$HOME/"
                XDG_DESKTOP_DIR=$HOME/unquoted
                """)
        let layout = layout(home: directory.path)
        let roots = Set(layout.areas.map(\.root))
        #expect(roots.contains(directory.path.appending("Papers \"old\"")))
        #expect(roots.contains("/srv/music"))
        #expect(roots.contains(directory.path.appending("Videos")))
        #expect(!roots.contains(directory.path.appending("Documents")))
        #expect(!roots.contains(directory.path.appending("Pictures")))
    }

    @Test func keepsAHomeWithinASharedDirectoryEssential() {
        let layout = layout(home: "/tmp/some/home")
        #expect(purgeClass(layout, "/tmp/other") == .temporary)
        #expect(purgeClass(layout, "/tmp/some/home/x") == .essential)
        #expect(purgeClass(layout, "/tmp/some/home/.cache/x") == .cache)
    }
}

struct AppleLayoutTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        for path in [
            "Documents/Inbox", "Library/Caches/Snapshots", "Library/Caches/com.apple.dyld",
            "Library/Caches/Podcaster", "Library/Application Support", "Library/Preferences",
            "Library/WebKit", "tmp/com.apple.dyld", "App.app",
        ] {
            try directory.tree.directory(TreePath(path))
        }
    }

    @Test(arguments: [
        ("Documents/a", PurgeClass.essential), ("Documents/Inbox/a", .essential),
        ("Library/a", .essential), ("Library/WebKit/a", .essential),
        ("Library/Caches/Podcaster/a", .cache), ("Library/Caches/a", .cache),
        ("Library/Caches/Snapshots/a", .essential), ("Library/Caches/com.apple.dyld/a", .essential),
        ("Library/Application Support/a", .essential), ("Library/Preferences/a", .essential),
        ("tmp/a", .temporary), ("tmp/com.apple.dyld/a", .essential), ("App.app/a", .essential),
        ("a", .essential),
    ])
    func givesEachDirectoryItsRole(_ path: String, _ purgeClass: PurgeClass) throws {
        let layout = try #require(Layout.appleContainer(at: directory.path))
        let area = AreaMap(layout.areas).area(for: directory.tree.path(TreePath(path)))
        #expect(area?.purgeClass == purgeClass)
    }

    @Test(.tags(.r1c), arguments: ["Documents", "Library", "tmp"])
    func needsTheWholeShape(_ missing: String) throws {
        try directory.tree.rename(TreePath(missing), to: "elsewhere")
        #expect(Layout.appleContainer(at: directory.path) == nil)
        try directory.tree.symbolicLink(TreePath(missing), to: "elsewhere")
        #expect(Layout.appleContainer(at: directory.path) == nil)
    }

    @Test func takesNoHomeForAContainer() throws {
        try directory.tree.directory("Documents/home")
        for home in [directory.path, directory.tree.path("Documents/home")] {
            #expect(Layout.appleContainer(at: directory.path, homes: Homes([home])) == nil)
        }
        #expect(Layout.appleContainer(at: directory.path, homes: Homes(["/no/such"])) != nil)
    }

    @Test func isFoundFromWithin() throws {
        let path = directory.tree.path("Library/Caches/Podcaster")
        #expect(Layout.appleContainer(around: path)?.root == directory.path)
        #expect(Layout.appleContainer(around: "/usr/lib") == nil)
    }

    @Test func recognisesAGroupContainerByItsMetadata() throws {
        let group = try TemporaryDirectory()
        try group.tree.directory("Library/Caches")
        #expect(Layout.appleGroup(at: group.path) == nil)
        #expect(Layout.appleGroup(at: group.path, explicitly: true) != nil)
        try group.tree.file(".com.apple.mobile_container_manager.metadata.plist", text: "x")
        let layout = try #require(Layout.appleGroup(at: group.path))
        let map = AreaMap(layout.areas)
        #expect(map.area(for: group.tree.path("data"))?.purgeClass == .essential)
        #expect(map.area(for: group.tree.path("Library/Caches/a"))?.purgeClass == .cache)
        #expect(Layout.appleGroup(at: directory.path, explicitly: true) == nil)
    }
}

struct AreaMapTests {
    private func area(_ path: FilePath, _ purgeClass: PurgeClass, limit: ByteCount? = nil) -> Area {
        Area(root: path, purgeClass: purgeClass, limit: limit, origin: "test")
    }

    @Test func theNearestAreaHolds() {
        let map = AreaMap([
            area("/a/b", .cache), area("/a", .essential), area("/a/b/c", .temporary),
            area("/a/bc", .lastResort),
        ])
        #expect(map.areas.map(\.root) == ["/a", "/a/b", "/a/b/c", "/a/bc"])
        #expect(map.area(for: "/a/x")?.purgeClass == .essential)
        #expect(map.area(for: "/a/b")?.purgeClass == .cache)
        #expect(map.area(for: "/a/b/c/d/e")?.purgeClass == .temporary)
        #expect(map.area(for: "/a/bc/d")?.purgeClass == .lastResort)
        #expect(map.area(for: "/") == nil)
        #expect(map.areas(below: 0) == 1..<4)
        #expect(map.areas(below: 1) == 2..<3)
    }

    @Test func scansEachAreaOnceAndEssentialOnesOnlyIfAsked() {
        let map = AreaMap([
            area("/h", .essential), area("/h/c", .cache), area("/h/c/keep", .essential),
            area("/h/c/keep/tmp", .temporary), area("/t", .temporary),
        ])
        #expect(map.scanRoots().map(\.path) == ["/h/c", "/t"])
        #expect(map.scanRoots(includingEssential: true).map(\.path) == ["/h", "/t"])
        #expect(map.scanRoot(at: "/h/c/x")?.area == 1)
        #expect(map.scanRoot(at: "/x") == nil)
    }

    @Test func theMoreProtectiveOfTwoDeclarationsHolds() {
        let map = AreaMap([
            area("/a", .cache, limit: .megabytes(1)), area("/a", .lastResort), area("/b", .cache),
            area("/b", .cache, limit: .megabytes(1)), area("/c", .cache), area("/c", .cache),
        ])
        #expect(map.area(for: "/a")?.purgeClass == .lastResort)
        #expect(map.area(for: "/b")?.limit == nil)
        #expect(map.conflicts.count == 2)
    }
}
