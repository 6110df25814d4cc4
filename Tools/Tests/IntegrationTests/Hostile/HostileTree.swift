//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage

/// Everything at once that can go wrong in a tree: below `area/files` single files may go, below
/// `area/units` whole entries, and `outside` is nobody's business.
struct HostileTree {
    let base: FilePath
    /// Of the directories inside each other.
    let depth: Int

    var tree: Tree { Tree(root: base) }
    var area: Tree { Tree(root: base.appending("area")) }
    var outside: Tree { Tree(root: base.appending("outside")) }
    var files: FilePath { base.appending("area").appending("files") }
    var units: FilePath { base.appending("area").appending("units") }

    var environment: [String: String?] {
        [
            "HOME": base.appending("home").string, "TMPDIR": base.appending("home/tmp").string,
            "HEADROOM_STATE_DIRECTORY": base.appending("state").string,
            "XDG_CACHE_HOME": files.string, "XDG_CONFIG_HOME": nil, "XDG_DATA_HOME": nil,
            "XDG_STATE_HOME": nil, "NO_COLOR": nil,
        ]
    }

    func run(_ arguments: String...) throws -> ChildResult { try run(arguments) }

    func run(_ arguments: [String]) throws -> ChildResult {
        try Program.run(Home.ignoringIdleTimes(arguments), environment: environment)
    }

    // MARK: - Making it

    /// What an overlay has in its lower layer.
    static func makeLower(_ tree: Tree) throws {
        try tree.file("area/files/lower/a", size: .kilobytes(50))
        try tree.file("area/units/lower/a", size: .kilobytes(50))
    }

    static let oddName: [UInt8] = Array("new\nline".utf8)
    static let rawName: [UInt8] = [0x72, 0xFF, 0xFE, 0x80]
    static let keptName: [UInt8] = Array("kept\n".utf8) + [0xFF]
    static let unitName: [UInt8] = [0x78, 0xFF]

    /// All of it but what changes between plan and purge.
    func make() throws {
        for name in ["home/tmp", "home/Documents", "area", "outside"] {
            try tree.directory(TreePath(name))
        }
        try makeOutside()
        try makeFiles()
        try makeUnits()
    }

    private func makeOutside() throws {
        try outside.file("precious", text: "keep me")
        try outside.file("linked", size: .kilobytes(90))
        try outside.file("pinned", text: "pinned")
        try outside.file("pinned-unit", text: "pinned")
        try outside.files(20, in: "twin", size: ByteCount(10))
        try outside.file("twin/a", text: "not what was planned")
    }

    private func makeFiles() throws {
        try area.symbolicLink("files/out", to: "../../outside")
        try area.symbolicLink("files/d/out", to: "../../../outside/precious")
        try area.file("files/d/plain", size: .kilobytes(30))
        for round in 0..<8 {
            try area.files(20, in: TreePath("files/swap/\(round)/sub"), size: ByteCount(10))
        }
        for name in ["held", "mapped", "rewritten"] {
            try area.file(TreePath("files/\(name)"), size: .kilobytes(200))
        }
        try area.file("files/held-small", text: "small")
        try area.file("files/flocked/a", text: "locked")
        try area.file("files/flocked/sub/b", text: "locked")
        try area.fifo("files/fifo")
        for name in [Self.oddName, Self.rawName, Self.keptName] {
            try area.file("files" / TreePath(name: name), size: .kilobytes(20))
        }
        try link("outside/linked", as: "area/files/link-out")
        try area.file("files/nested/a", text: "beside the mount")
        try area.directory("files/nested/mount")
        // The path of each of these is told: in a debug build that takes its time.
        try area.file(
            area.chain("files/deep", depth: Privilege.isSoak ? depth : 300) / "leaf", text: "deep")
        try area.file("files/replaced/a", text: "planned")
        try area.directory("files/db")
        try makeIdleDatabase("area/files/db/idle.sqlite")
        try area.file("files/l/leased", text: "leased")
        try area.file("files/l/free", size: .kilobytes(20))
        try area.file("files/unflagged/free", text: "free")
        try area.file("files/pair/one", size: .megabytes(3))
        try area.hardLink("files/other/two", to: "files/pair/one")
        try unpackArchive("files/archive")
    }

    private func makeUnits() throws {
        try area.file("units/clean/sub/a", size: .kilobytes(300))
        try area.file("units/held/in/a", size: .kilobytes(200))
        try area.file("units/held/other", text: "stays with it")
        try area.file("units/leased/in/a", text: "leased")
        try area.file("units/flocked/a", text: "locked")
        try area.file("units/replaced/a", text: "planned")
        try area.file("units/rewritten/in/a", text: "before")
        try area.fifo("units/special/in/fifo")
        try area.directory("units/mounted/in/mount")
        try area.directory("units/sqlite")
        try area.files(3_000, in: "units/written", size: ByteCount(10))
        try area.file("units" / TreePath(name: Self.unitName) / "a", size: .kilobytes(20))
        try area.file("units/pinned/free", text: "free")
        try area.file(area.chain("units/deep", depth: depth) / "leaf", text: "deep")
        try area.file("units/pair/one", size: .megabytes(2))
        try area.hardLink("units/pair2/two", to: "units/pair/one")
        try unpackArchive("units/archive")
    }

    private func unpackArchive(_ path: String) throws {
        try area.file(TreePath(path + "/old"), size: .kilobytes(10))
        // 1 June 1985.
        try area.setTimes(below: TreePath(path), to: Timestamp(seconds: 486_432_000))
    }

    private func link(_ existing: TreePath, as path: TreePath) throws {
        try tree.hardLink(path, to: existing)
    }

    /// A database that nobody uses, with its sidecars, as a killed program leaves it.
    private func makeIdleDatabase(_ path: String) throws {
        let child = try HostileProcess.python(
            """
            c = sqlite3.connect('\(path)')
            c.execute('pragma journal_mode=wal')
            c.execute('create table t(x)')
            c.commit()
            print('ready', flush=True)
            signal.pause()
            """, in: base)
        child.send(9)
        try child.wait()
    }

    // MARK: - Between plan and purge

    /// What the world does between plan and purge.
    func change() throws {
        try tree.rename("area/files/replaced", to: "outside/was-replaced")
        try area.symbolicLink("files/replaced", to: "../../outside/twin")
        try tree.rename("area/units/replaced", to: "outside/was-unit")
        try area.symbolicLink("units/replaced", to: "../../outside/twin")
        // Of the same size, and with the times that it had.
        let before = try area.status(of: "files/rewritten")
        try area.file(
            "files/rewritten", contents: Array(repeating: 0x5A, count: 200_000))
        try area.setTimes(
            of: "files/rewritten", accessed: before.accessed, modified: before.modified)
        try area.file("units/rewritten/in/a", text: "after!")
    }
}
#endif
