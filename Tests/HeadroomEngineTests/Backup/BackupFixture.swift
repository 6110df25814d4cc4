//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage

/// A home in a temporary directory, with a workspace over it.
struct BackupFixture {
    let directory: TemporaryDirectory
    let workspace: Workspace
    let calls = NativeCalls.make()

    var tree: Tree { directory.tree }
    var home: FilePath { directory.path.appending("home") }

    init(on base: TemporaryDirectory.Base = .disk) throws {
        directory = try TemporaryDirectory(on: base)
        try directory.tree.directory("home")
        try directory.tree.directory("home/.cache")
        try directory.tree.directory("home/Documents")
        workspace = Self.open(directory)
    }

    /// Another process's view.
    static func open(_ directory: TemporaryDirectory) -> Workspace {
        Workspace.open(
            environment: ["TMPDIR": directory.path.appending("tmp").string],
            home: directory.path.appending("home"),
            ledgerDirectory: directory.path.appending("state"), minIdle: .none, clock: Timestamp.now
        )
    }

    func path(_ name: String) -> FilePath { home.appending(name) }

    /// Makes a file, with the directories around it.
    @discardableResult
    func file(_ name: String, _ content: String = "content") throws -> FilePath {
        try parents(of: name)
        try tree.file(TreePath("home/" + name), text: content)
        return path(name)
    }

    @discardableResult
    func folder(_ name: String) throws -> FilePath {
        try parents(of: name)
        if !tree.exists(TreePath("home/" + name)) { try tree.directory(TreePath("home/" + name)) }
        return path(name)
    }

    private func parents(of name: String) throws {
        var parts = name.split(separator: "/").dropLast()
        var made = "home"
        while let part = parts.popFirst() {
            made += "/" + part
            if !tree.exists(TreePath(made)) { try tree.directory(TreePath(made)) }
        }
    }

    /// Puts another file in the place of one, as programs do that save in one step.
    func replace(_ name: String, _ content: String = "new") throws {
        try tree.file(TreePath("home/" + name + ".new"), text: content)
        try tree.rename(TreePath("home/" + name + ".new"), to: TreePath("home/" + name))
    }

    func mark(_ name: String, _ change: (inout Mark) -> Void) throws {
        try workspace.mark(path(name), change)
    }

    /// The mark that is on a file, without what the ledger says.
    func carried(_ name: String) throws -> String? { try attribute("user.headroom", name) }

    func exclusion(_ name: String) throws -> BackupExclusion {
        try workspace.backupExclusionReader().exclusion(of: path(name))
    }

    func exclude(_ name: String, in workspace: Workspace? = nil) throws {
        try (workspace ?? self.workspace).mark(path(name)) { $0.isExcludedFromBackup = true }
    }

    /// An extended attribute of a file; nil: there is none.
    func attribute(_ attribute: AttributeName, _ name: String) throws -> String? {
        let file = try Descriptor.openAny(path(name))
        return try calls.attribute(attribute, of: file.rawValue)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    func setAttribute(_ attribute: AttributeName, _ value: String, _ name: String) throws {
        let file = try Descriptor.openAny(path(name))
        try calls.setAttribute(attribute, to: Array(value.utf8), of: file.rawValue)
    }

    func removeAttribute(_ attribute: AttributeName, _ name: String) throws {
        let file = try Descriptor.openAny(path(name))
        _ = try calls.removeAttribute(attribute, of: file.rawValue)
    }

    func isNoDump(_ name: String) throws -> Bool {
        let file = try Descriptor.openAny(path(name))
        return try calls.status(of: file.rawValue).isNoDump
    }
}

extension Descriptor {
    /// Opens a file or directory for reading.
    static func openAny(_ path: FilePath) throws -> Descriptor {
        do {
            return try Descriptor.openDirectory(path)
        } catch Errno.notDirectory {
            return try Descriptor.openFile(path)
        }
    }
}
