//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// Tells whether a Git repository holds work that may exist nowhere else, from the files in it alone: `git` is not
/// run, because a repository's configuration can name programs that it starts.
///
/// The answer errs on the side of keeping. A repository is expendable only if everything in it demonstrably came from
/// a remote: its reflog has clones, fast-forwards and checkouts and nothing else, each branch is known to a remote,
/// nothing is stashed or in progress, and the work tree is as the index says.
/// See gitrepository-layout(5), gitformat-index(5) and git-reflog(1).
struct GitInspection {
    private let files: ScannedFiles
    private let directory: UInt32
    private let kind: Structure.Kind
    /// `.git`, or the bare repository itself; nil: `.git` is a file.
    private let gitDirectory: UInt32?

    private var inventory: Inventory { files.inventory }

    init(_ files: ScannedFiles, _ directory: UInt32, _ kind: Structure.Kind) {
        self.files = files
        self.directory = directory
        self.kind = kind
        gitDirectory = kind == .bareGitRepository ? directory : files.child(directory, ".git")
    }

    // MARK: - Borrowed objects

    /// The scanned repositories whose objects this one borrows (`objects/info/alternates`).
    ///
    /// - Returns: nil if it borrows objects, and the file that says from where can't be read.
    func lenders() -> [UInt32]? {
        guard let gitDirectory, let objects = files.child(gitDirectory, "objects"),
            let info = files.child(objects, "info"), let file = files.file(info, "alternates")
        else { return [] }
        // mutation: r44c-2
        guard let content = files.content(of: file) else { return nil }
        let base = inventory.path(ofDirectory: objects)
        var found: [UInt32] = []
        for line in content.split(separator: UInt8(ascii: "\n")) {
            // Relative paths start at the directory of the objects.
            let path = base.pushing(FilePath(bytes: Array(line))).lexicallyNormalized()
            guard let lender = inventory.directory(at: path) else { continue }
            var current = lender.number
            while current != DirectoryRecord.none {
                found.append(current)
                current = inventory.directories[Int(current)].parent
            }
        }
        return found
    }

    // MARK: - Unique work

    /// The work in the repository that may exist nowhere else, as the end of a sentence: "with a stash".
    ///
    /// - Returns: nil if everything in it came from a remote.
    func uniqueWork() -> String? {
        guard let gitDirectory else {
            return "that is a linked worktree or a submodule"
        }
        // Nothing in a bare repository tells who borrows its objects or pushes to it.
        if kind == .bareGitRepository {
            return "that other repositories may borrow objects from or push to"
        }
        if let text = stateInProgress(gitDirectory) { return text }
        guard let config = files.file(gitDirectory, "config"),
            let configuration = files.content(of: config), Self.hasRemote(configuration)
        else { return "without a remote" }
        guard !Self.hasExtensions(configuration) else {
            return "in a format that Headroom can't read"
        }
        guard let references = GitReferences(files, gitDirectory) else {
            return "whose branches can't be read"
        }
        if references.hasStash { return "with a stash" }
        // mutation: r44c-1
        if references.hasLocalWork { return "with commits that were made here" }
        if let branch = references.unpublishedBranch {
            return "whose branch \(branch) has commits that no remote is known to have"
        }
        if references.hasUnpublishedTag {
            return "with a tag whose commits no remote is known to have"
        }
        guard let index = files.file(gitDirectory, "index"),
            let content = files.content(of: index, limit: 64 << 20),
            let staged = GitIndex(content)
        else { return "whose index can't be read" }
        return GitWorkTree(files, directory, gitDirectory, staged).uncommitted()
    }

    /// What somebody has worked on in a clone that a program created for itself, as the end of a sentence.
    ///
    /// Programs clone without a remote, reset to any commit, and install into the work tree: none of that is
    /// work. Operations that create commits, a stash, and changes of tracked files are.
    ///
    /// - Returns: nil if there is nothing.
    func workInClone() -> String? {
        // A bare clone has no work tree.
        if kind == .bareGitRepository { return nil }
        guard let gitDirectory else { return workInLink() }
        if let text = operationInProgress(gitDirectory) { return text }
        guard let references = GitReferences(files, gitDirectory) else {
            return "whose branches can't be read"
        }
        if references.hasStash { return "with a stash" }
        if references.hasNewCommits { return "with commits that were made here" }
        // Without an index, nothing was ever checked out.
        guard let index = files.file(gitDirectory, "index") else { return nil }
        guard let content = files.content(of: index, limit: 64 << 20),
            let staged = GitIndex(content)
        else { return "whose index can't be read" }
        return GitWorkTree(files, directory, gitDirectory, staged).changed()
    }

    /// The same, where `.git` is a file that names the directory of the repository.
    private func workInLink() -> String? {
        guard let link = files.file(directory, ".git"), let content = files.content(of: link)
        else { return "whose .git file can't be read" }
        // A submodule's lies in the repository around it; a worktree is one that somebody added.
        let path = String(decoding: content, as: UTF8.self)
        return path.contains("/worktrees/") ? "that is a linked worktree" : nil
    }

    private func stateInProgress(_ gitDirectory: UInt32) -> String? {
        if let text = operationInProgress(gitDirectory) { return text }
        if hasHooks(gitDirectory) { return "with hooks that were added here" }
        if hasContent(gitDirectory, "modules") { return "with submodules" }
        return nil
    }

    private func operationInProgress(_ gitDirectory: UInt32) -> String? {
        let states: [StaticString] = [
            "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG", "SQUASH_MSG",
        ]
        for name in states where files.file(gitDirectory, name) != nil {
            return "in the middle of a merge or another operation"
        }
        let directories: [StaticString] = ["rebase-merge", "rebase-apply", "sequencer"]
        for name in directories where files.child(gitDirectory, name) != nil {
            return "in the middle of a rebase"
        }
        if hasContent(gitDirectory, "worktrees") { return "with linked worktrees" }
        return nil
    }

    /// Whether it has hooks other than the samples that Git puts there: they are part of no commit.
    private func hasHooks(_ gitDirectory: UInt32) -> Bool {
        guard let hooks = files.child(gitDirectory, "hooks") else { return false }
        var isFound = false
        inventory.forEachItem(of: hooks) { id in
            if !inventory.name(ofItem: id).owned.text.hasSuffix(".sample") { isFound = true }
        }
        return isFound
    }

    private func hasContent(_ directory: UInt32, _ name: StaticString) -> Bool {
        guard let child = files.child(directory, name) else { return false }
        let record = inventory.directories[Int(child)]
        return record.firstChild != DirectoryRecord.none || record.firstRun != DirectoryRecord.none
    }

    /// Whether a configuration names a remote with an address.
    private static func hasRemote(_ content: [UInt8]) -> Bool {
        var isInRemote = false
        for line in lines(content) {
            if line.first == "[" { isInRemote = line.lowercased().hasPrefix("[remote ") }
            guard isInRemote, let equals = line.firstIndex(of: "=") else { continue }
            let key = line[..<equals].lowercased().split(separator: " ").last
            if key == "url", line[line.index(after: equals)...].contains(where: { $0 != " " }) {
                return true
            }
        }
        return false
    }

    /// Whether a configuration has repository extensions (another hash, another format of references, partial clones).
    private static func hasExtensions(_ content: [UInt8]) -> Bool {
        lines(content).contains { $0.lowercased().hasPrefix("[extensions]") }
    }

    private static func lines(_ content: [UInt8]) -> [String] {
        String(decoding: content, as: UTF8.self).split(whereSeparator: \.isNewline).map { line in
            String(line.drop { $0 == " " || $0 == "\t" })
        }
    }
}
