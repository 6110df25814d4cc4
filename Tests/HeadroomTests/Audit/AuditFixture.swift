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

/// A container on a disk whose files carry attributes, and small limits, so that small files do.
struct AuditFixture {
    let directory: TemporaryDirectory
    let storage: Storage
    let root: FilePath
    var options = AuditOptions()

    init() throws {
        directory = try TemporaryDirectory(on: .disk)
        root = directory.path.appending("box")
        for name in ["Documents", "Library/Caches", "Library/Preferences", "tmp"] {
            try directory.tree.directory(TreePath(stringLiteral: "box/" + name))
        }
        storage = try Storage(
            container: URL(filePath: root.string), owner: "Podcaster",
            ledgerDirectory: directory.path.appending("ledger"))
        options.largeEach = .kilobytes(100)
        options.largeInAll = .kilobytes(300)
    }

    /// The same storage as another process would find it some time later.
    func storage(after time: Duration) throws -> Storage {
        try Storage(
            container: URL(filePath: root.string), owner: "Podcaster",
            ledgerDirectory: directory.path.appending("ledger"),
            clock: { Timestamp.wallClock().advanced(by: time) })
    }

    func path(_ name: String) -> FilePath { FilePath("\(root)/\(name)") }

    func url(_ name: String) -> URL { URL(filePath: path(name).string) }

    func file(_ name: String, _ size: ByteCount = .kilobytes(4), start: [UInt8] = []) throws {
        let bytes = start + [UInt8](repeating: 0x80, count: max(0, Int(size.bytes) - start.count))
        try directory.tree.file(TreePath(stringLiteral: "box/" + name), contents: bytes)
    }

    func set(_ attribute: AttributeName, _ value: String, of name: String) throws {
        let file = try Descriptor.openFile(path(name))
        try POSIXCalls().setAttribute(attribute, to: Array(value.utf8), of: file.rawValue)
    }

    func audit() throws -> Audit { try storage.audit(options) }

    /// `code path` of each finding, sorted.
    func findings(_ codes: [AuditFinding.Code]? = nil) throws -> [String] {
        try audit().findings.filter { codes?.contains($0.code) ?? true }
            .map { finding in
                var path = finding.path
                _ = path.removePrefix(root)
                return "\(finding.code) \(path)"
            }.sorted()
    }
}
