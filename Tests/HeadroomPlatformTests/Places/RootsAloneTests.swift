//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite(
    "R32: what is root's alone", .enabled(if: Privilege.isRoot, "needs root to give files away"))
struct RootsAloneTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.tree.file("bin/inner/tool", text: "")
        try directory.tree.directory("theirs")
        _ = try ChildProcess.run("chmod", ["-R", "go-w", directory.path.string])
        try give("theirs")
    }

    private func path(_ name: String) -> FilePath { directory.path.appending(name) }

    private func give(_ name: String) throws {
        _ = try ChildProcess.run("chown", ["-h", "1234", path(name).string])
    }

    private func link(_ name: String, to target: String) throws {
        let target = target.first == "/" ? path(String(target.dropFirst())).string : target
        _ = try ChildProcess.run("ln", ["-s", target, path(name).string])
    }

    private func isRoots(_ name: String) -> Bool { RootsAlone.isEnd(of: path(name)) }

    @Test func whatNobodyElseHasAHandInIs() throws {
        #expect(isRoots("bin/inner/tool") && isRoots("bin"))
        #expect(RootsAlone.isEnd(of: "/bin/sh") && RootsAlone.isEnd(of: "/"))
    }

    @Test(arguments: ["bin/inner/tool", "bin/inner", "bin"])
    func whatOthersOwnOrWriteIsNot(name: String) throws {
        for mode in ["0775", "0757"] {
            _ = try ChildProcess.run("chmod", [mode, path(name).string])
            #expect(!isRoots("bin/inner/tool"), "\(mode)")
        }
        _ = try ChildProcess.run("chmod", ["0755", path(name).string])
        #expect(isRoots("bin/inner/tool"))
        try give(name)
        #expect(!isRoots("bin/inner/tool"))
    }

    /// As in `/tmp`: others put things beside it, and exchange nothing of root's.
    @Test func inADirectoryForAllWhatIsRootsIs() throws {
        _ = try ChildProcess.run("chmod", ["1777", path("bin").string])
        #expect(isRoots("bin/inner/tool"))
        #expect(!isRoots("bin"), "itself is everybody's")
        try link("bin/mine", to: "/bin/inner/tool")
        try link("bin/others", to: "/bin/inner/tool")
        try give("bin/others")
        #expect(isRoots("bin/mine") && !isRoots("bin/others"))
        // The bit of another's directory is at their will.
        try give("bin")
        #expect(!isRoots("bin/inner/tool"))
    }

    @Test func linksAreAsGoodAsAllThatIsOnTheirWay() throws {
        try link("good", to: "/bin/inner/tool")
        try link("relative", to: "./bin/../bin/inner//tool")
        try link("again", to: "/good")
        #expect(isRoots("good") && isRoots("relative") && isRoots("again"))
        try link("theirs/tool", to: "/bin/inner/tool")
        try link("theirs/inner", to: "/bin/inner")
        try link("through", to: "/theirs/tool")
        // The directory in which it ends is root's; which one that is, is not up to root.
        try link("around", to: "/theirs/inner/tool")
        try link("behind", to: "/theirs/../bin/inner/tool")
        for name in ["through", "around", "behind", "theirs/inner/tool"] {
            #expect(!isRoots(name), "\(name)")
        }
    }

    @Test func whatLeadsNowhereIsNot() throws {
        try link("dangling", to: "/nothing")
        try link("loop", to: "/loop")
        try link("0", to: "/bin/inner/tool")
        for number in 1...8 { try link("\(number)", to: "/\(number - 1)") }
        #expect(isRoots("7") && !isRoots("8"), "as many are followed")
        for name in ["dangling", "loop", "nothing", "bin/inner/tool/more"] {
            #expect(!isRoots(name), "\(name)")
        }
        #expect(!RootsAlone.isEnd(of: "bin/sh") && !RootsAlone.isEnd(of: ""))
    }
}
