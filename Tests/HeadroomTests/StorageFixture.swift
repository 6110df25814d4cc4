//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A home of its own with a storage in it, and a ledger beside it.
struct StorageFixture {
    let base: TemporaryDirectory
    let storage: Storage

    init(on place: TemporaryDirectory.Base = .memory) throws {
        try self.init(base: TemporaryDirectory(on: place))
    }

    /// A home on a volume of its own.
    init(in path: FilePath) throws {
        try self.init(base: TemporaryDirectory(on: .at(path)))
    }

    private init(base: TemporaryDirectory) throws {
        self.base = base
        try base.tree.directory("home")
        try base.tree.directory("tmp")
        storage = try Storage(
            home: base.path.appending("home"),
            environment: ["TMPDIR": base.path.appending("tmp").string],
            owner: "Podcaster", ledgerDirectory: base.path.appending("ledger"))
    }

    var tree: Tree { base.tree }

    /// What stands at a URL.
    func contents(_ url: URL) throws -> Data { try Data(contentsOf: url) }

    /// The names in a directory, without those of directories below.
    func names(_ path: TreePath) throws -> [String] {
        try tree.names(in: path).map(\.text).sorted()
    }
}

extension Data {
    /// Bytes that differ from block to block, so that a shift would show.
    static func pattern(_ count: Int, seed: UInt8 = 1) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 / 7 &+ $0 &* Int(seed)) })
    }
}
