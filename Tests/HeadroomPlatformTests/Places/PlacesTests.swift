//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

struct PlacesTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func resolvesDotsAndLinksOnTheWay() throws {
        try directory.tree.directory("real/inner")
        try directory.tree.symbolicLink("link", to: "real")
        let spelled = FilePath("\(directory.path)/link/../real//inner/.")
        let resolved = try ResolvedDirectory(spelled)
        #expect(resolved.path.components.suffix(2).map(\.string) == ["real", "inner"])
        let parent = try directory.tree.status(of: "real")
        #expect(resolved.ancestors.first?.identity == parent.identity)
        #expect(resolved.ancestors.count == resolved.path.components.count)
    }

    @Test func findsTheNearestPlaceThatThereIs() throws {
        try directory.tree.directory("a")
        try directory.tree.file("a/f")
        let a = directory.path.appending("a")
        #expect(PathCalls.nearestExisting(a) == a)
        #expect(PathCalls.nearestExisting(a.appending("b").appending("c")) == a)
        // Below a file there is never anything: it is the nearest.
        #expect(PathCalls.nearestExisting(a.appending("f").appending("c")) == a.appending("f"))
        #expect(PathCalls.nearestExisting("/absent/deep/down") == "/")
        #expect(PathCalls.nearestExisting("absent/deep") == ".")
    }

    @Test func doesNotFollowALastLinkUnlessTold() throws {
        try directory.tree.directory("real")
        try directory.tree.symbolicLink("link", to: "real")
        let link = directory.path.appending("link")
        #expect(throws: Errno.notDirectory) {
            _ = try ResolvedDirectory(link, followingLast: false)
        }
        #expect(try ResolvedDirectory(link).path.lastComponent == "real")
        #expect(link.linkTarget == "real")
    }

    @Test func readsAccountsAndLeavesOutWhatIsNone() {
        let text = """
            root:x:0:0:root:/root:/bin/sh
            # comment
            bad line
            man:x:6:12:man:/var/cache/man:/usr/sbin/nologin
            ann:x:1000:1000::/home/ann:/bin/sh
            nan:x:abc:1::/home/nan:/bin/sh
            rel:x:1001:1::home:/bin/sh
            """
        let accounts = UserAccount.parse(Array(text.utf8))
        #expect(accounts.map(\.name) == ["root", "man", "ann"])
        #expect(accounts.map(\.isPerson) == [true, false, true])
        #expect(accounts[2].home == "/home/ann")
    }

    @Test func readsNoFIFO() throws {
        try directory.tree.fifo("fifo")
        #expect(throws: Errno.invalidArgument) {
            try SmallFile.read(directory.path.appending("fifo"))
        }
        try directory.tree.file("long", size: .kilobytes(100))
        #expect(throws: Errno.fileTooLarge) {
            try SmallFile.read(directory.path.appending("long"), limit: 1000)
        }
    }

    @Test func setsListsAndRemovesAttributes() throws {
        let memory = try TemporaryDirectory(on: .memory)
        let file = try memory.tree.open()
        let calls = POSIXCalls()
        let name: AttributeName = "user.headroom-test"
        try calls.setAttribute(name, to: [1, 2, 3], of: file.rawValue)
        #expect(try calls.attributeNames(of: file.rawValue) == [name.text])
        #expect(try calls.attribute(name, of: file.rawValue) == [1, 2, 3])
        #expect(try calls.removeAttribute(name, of: file.rawValue))
        #expect(try !calls.removeAttribute(name, of: file.rawValue))
        #expect(try calls.attributeNames(of: file.rawValue).isEmpty)
    }
}
