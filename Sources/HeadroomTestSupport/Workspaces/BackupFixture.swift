//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
package import HeadroomPlatform
package import SystemPackage

/// A home in a temporary directory, with a workspace over it.
package struct BackupFixture {
    package let directory: TemporaryDirectory
    package let workspace: Workspace
    package let calls = NativeCalls.make()

    package var tree: Tree { directory.tree }
    package var home: FilePath { directory.path.appending("home") }

    package init(on base: TemporaryDirectory.Base = .disk) throws {
        directory = try TemporaryDirectory(on: base)
        try directory.tree.directory("home")
        try directory.tree.directory("home/.cache")
        try directory.tree.directory("home/Documents")
        workspace = Self.open(directory)
    }

    /// Another process's view.
    package static func open(_ directory: TemporaryDirectory) -> Workspace {
        Workspace.open(
            environment: ["TMPDIR": directory.path.appending("tmp").string],
            home: directory.path.appending("home"),
            ledgerDirectory: directory.path.appending("state"), minIdle: .none, clock: Timestamp.now
        )
    }

    package func path(_ name: String) -> FilePath { home.appending(name) }

    /// Makes a file, with the directories around it.
    @discardableResult
    package func file(_ name: String, _ content: String = "content") throws -> FilePath {
        try parents(of: name)
        try tree.file(TreePath("home/" + name), text: content)
        return path(name)
    }

    @discardableResult
    package func folder(_ name: String) throws -> FilePath {
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
    package func replace(_ name: String, _ content: String = "new") throws {
        try tree.file(TreePath("home/" + name + ".new"), text: content)
        try tree.rename(TreePath("home/" + name + ".new"), to: TreePath("home/" + name))
    }

    package func mark(_ name: String, _ change: (inout Mark) -> Void) throws {
        try workspace.mark(path(name), change)
    }

    /// The mark that is on a file, without what the ledger says.
    package func carried(_ name: String) throws -> String? { try attribute("user.headroom", name) }

    package func exclusion(_ name: String) throws -> BackupExclusion {
        try workspace.backupExclusionReader().exclusion(of: path(name))
    }

    package func exclude(_ name: String, in workspace: Workspace? = nil) throws {
        try (workspace ?? self.workspace).mark(path(name)) { $0.isExcludedFromBackup = true }
    }

    /// An extended attribute of a file; nil: there is none.
    package func attribute(_ attribute: AttributeName, _ name: String) throws -> String? {
        let file = try Descriptor.openAny(path(name))
        return try calls.attribute(attribute, of: file.rawValue)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    package func setAttribute(_ attribute: AttributeName, _ value: String, _ name: String) throws {
        let file = try Descriptor.openAny(path(name))
        try calls.setAttribute(attribute, to: Array(value.utf8), of: file.rawValue)
    }

    package func removeAttribute(_ attribute: AttributeName, _ name: String) throws {
        let file = try Descriptor.openAny(path(name))
        _ = try calls.removeAttribute(attribute, of: file.rawValue)
    }

    package func isNoDump(_ name: String) throws -> Bool {
        let file = try Descriptor.openAny(path(name))
        return try calls.status(of: file.rawValue).isNoDump
    }
}

extension Descriptor {
    /// Opens a file or directory for reading.
    package static func openAny(_ path: FilePath) throws -> Descriptor {
        do {
            return try Descriptor.openDirectory(path)
        } catch Errno.notDirectory {
            return try Descriptor.openFile(path)
        }
    }
}
