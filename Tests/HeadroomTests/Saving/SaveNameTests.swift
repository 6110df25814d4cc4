//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// The names under which files are written that are not seen yet.
struct SaveNameTests {
    private let base: TemporaryDirectory

    init() throws {
        base = try TemporaryDirectory(on: .memory)
        for name in ["here", "there"] { try base.tree.directory(TreePath(name)) }
    }

    private func make(in directory: String) throws -> NewFile {
        try NewFile(in: try Descriptor.openDirectory(base.path.appending(directory)))
    }

    /// The names that are used from now on: so many times that they come round.
    private func namesInUse() throws -> Set<String> {
        var names: Set<String> = []
        for _ in 0..<4_000 {
            let file = try make(in: "there")
            names.insert(file.temporaryName)
            file.discard()
        }
        try #require(names.count < 2_000)
        return names
    }

    @Test func oneWhoseFileStaysIsNotUsedAgain() throws {
        let file = try make(in: "here")
        let name = file.temporaryName
        // What cannot be removed as a file.
        try base.tree.remove(TreePath("here/" + name))
        try base.tree.directory(TreePath("here/" + name))
        file.discard()
        #expect(base.tree.exists(TreePath("here/" + name)))
        #expect(try !namesInUse().contains(name))
    }
}
