//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

struct TemporaryDirectoryTests {
    struct Stop: Error {}

    @Test(arguments: [TemporaryDirectory.Base.disk, .memory])
    func isRemovedAlsoWhenTheTestThrows(base: TemporaryDirectory.Base) {
        var path: FilePath = ""
        #expect(throws: Stop.self) {
            try TemporaryDirectory.with(on: base) { directory in
                path = directory.path
                try directory.tree.file("a/b", text: "x")
                #expect(Tree(root: base.path).exists(TreePath(name(of: path))))
                throw Stop()
            }
        }
        #expect(path.starts(with: base.path))
        #expect(!Tree(root: base.path).exists(TreePath(name(of: path))))
    }

    @Test func isRemovedWhenItsOwnerGoes() throws {
        var directory: TemporaryDirectory? = try TemporaryDirectory(on: .memory)
        let path = try #require(directory).path
        #expect(Tree(root: path).exists(""))
        directory = nil
        #expect(!Tree(root: path).exists(""))
    }

    @Test func removesWhatCannotBeReadOrWritten() throws {
        var directory: TemporaryDirectory? = try TemporaryDirectory()
        let tree = try #require(directory).tree
        try tree.file("closed/inside/file", text: "x")
        try tree.setPermissions(0, of: "closed/inside")
        try tree.setPermissions(0, of: "closed")
        directory = nil
        #expect(!tree.exists(""))
    }

    #if os(Linux)
    @Test(.enabled(if: Privilege.isRoot, "making a file immutable needs root"))
    func removesImmutableFiles() throws {
        var directory: TemporaryDirectory? = try TemporaryDirectory()
        let tree = try #require(directory).tree
        try tree.file("d/fixed", text: "x")
        for path in ["d/fixed", "d"] {
            let changed = try ChildProcess.run("chattr", ["+i", "\(tree.root)/\(path)"])
            #expect(changed.succeeded, "\(changed.errors)")
        }
        #expect(try tree.status(of: "d/fixed").isImmutable)
        directory = nil
        #expect(!tree.exists(""))
    }
    #endif

    private func name(of path: FilePath) -> String { path.lastComponent?.string ?? "" }
}
