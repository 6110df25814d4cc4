//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// The branches of a repository, and the origin of its commits by its reflogs.
struct GitReferences {
    private(set) var hasStash = false
    /// Whether the reflog of `HEAD` has an operation that can create commits.
    private(set) var hasLocalWork = false
    /// Whether the reflog of `HEAD` has an operation that certainly created a commit.
    private(set) var hasNewCommits = false
    /// A local branch, or the detached `HEAD`, whose commit no remote is known to have.
    private(set) var unpublishedBranch: String?
    /// Whether a tag may name a commit that nothing else does.
    private(set) var hasUnpublishedTag = false

    /// Commits that are known to have come from a remote.
    private var published: Set<[UInt8]> = []
    private var tags: Set<[UInt8]> = []
    /// Where fast-forwards and resets led: to what a remote has, or to what was fetched from a bundle, a disk
    /// or a linked worktree.
    private var fetched: Set<[UInt8]> = []
    /// Whether the reflog of `HEAD` starts with the first commit: expired lines tell nothing.
    private var isLogComplete = false
    private var branches: [(name: String, commit: [UInt8])] = []

    /// - Returns: nil if something can't be read: nothing is known then.
    init?(_ files: ScannedFiles, _ gitDirectory: UInt32) {
        let inventory = files.inventory
        guard let head = files.file(gitDirectory, "HEAD"), let headText = files.content(of: head)
        else { return nil }
        if let packed = files.file(gitDirectory, "packed-refs") {
            guard let content = files.content(of: packed, limit: 64 << 20) else { return nil }
            readPacked(content)
        }
        guard let references = files.child(gitDirectory, "refs") else { return nil }
        let prefix = inventory.path(ofDirectory: gitDirectory).bytes.count + 1
        var isReadable = true
        inventory.forEachDirectory(below: references) { directory in
            if inventory.directories[Int(directory)].flags.contains(.unreadable) {
                isReadable = false
            }
            inventory.forEachItem(of: directory) { id in
                guard let content = files.content(of: id) else { return isReadable = false }
                let name = inventory.path(ofItem: id).bytes.dropFirst(prefix)
                add(String(decoding: name, as: UTF8.self), Self.firstWord(content))
            }
        }
        guard isReadable else { return nil }
        if let logs = files.child(gitDirectory, "logs") {
            guard readLogs(files, logs) else { return nil }
        }
        if !headText.starts(with: "ref:".utf8) {
            branches.append(("HEAD", Self.firstWord(headText)))
        }
        if !fetched.isSubset(of: published) { hasLocalWork = true }
        // Without local work, no commit exists that only a local tag names.
        if isLogComplete, !hasLocalWork { published.formUnion(tags) }
        unpublishedBranch = branches.first { !published.contains($0.commit) }?.name
        hasUnpublishedTag = !tags.isSubset(of: published)
    }

    private static func firstWord(_ content: [UInt8]) -> [UInt8] {
        Array(content.prefix { $0 > 0x20 })
    }

    private mutating func add(_ name: String, _ commit: [UInt8]) {
        if name == "refs/stash" {
            hasStash = true
        } else if name.hasPrefix("refs/heads/") {
            branches.append((String(name.dropFirst(11)), commit))
        } else if name.hasPrefix("refs/remotes/") {
            published.insert(commit)
        } else if name.hasPrefix("refs/tags/") {
            tags.insert(commit)
        } else if !name.hasPrefix("refs/bisect/") {
            // Notes, replacements and references of other tools may be work of their own.
            branches.append((name, commit))
        }
    }

    /// Lines are `<commit> <name>`; a line `^<commit>` names the commit of the tag in the line before.
    private mutating func readPacked(_ content: [UInt8]) {
        for line in content.split(separator: UInt8(ascii: "\n")) where line.first != 0x23 {
            if line.first == UInt8(ascii: "^") {
                tags.insert(Self.firstWord(Array(line.dropFirst())))
                continue
            }
            let parts = line.split(separator: 0x20, maxSplits: 1)
            guard parts.count == 2 else { continue }
            add(String(decoding: parts[1], as: UTF8.self), Array(parts[0]))
        }
    }

    /// A line of a reflog is `<old> <new> <name> <time> <zone>\t<operation>`.
    ///
    /// - Returns: false if a log can't be read.
    private mutating func readLogs(_ files: ScannedFiles, _ logs: UInt32) -> Bool {
        if let head = files.file(logs, "HEAD") {
            guard let content = files.content(of: head, limit: 16 << 20) else { return false }
            let lines = content.split(separator: UInt8(ascii: "\n"))
            isLogComplete = lines.first?.starts(with: repeatElement(0x30, count: 40)) == true
            for line in lines { readHead(line) }
        }
        guard let references = files.child(logs, "refs"),
            let remotes = files.child(references, "remotes")
        else { return true }
        var isReadable = true
        files.inventory.forEachDirectory(below: remotes) { directory in
            files.inventory.forEachItem(of: directory) { id in
                guard let content = files.content(of: id, limit: 16 << 20) else {
                    return isReadable = false
                }
                for line in content.split(separator: UInt8(ascii: "\n")) {
                    let commits = line.split(separator: 0x20, maxSplits: 2)
                    if commits.count > 1 { published.insert(Array(commits[1])) }
                }
            }
        }
        return isReadable
    }

    private mutating func readHead(_ line: ArraySlice<UInt8>) {
        let commits = line.split(separator: 0x20, maxSplits: 2)
        guard commits.count == 3 else { return hasLocalWork = true }
        let tab = line.firstIndex(of: 0x09)
        let operation = tab.map { String(decoding: line[($0 + 1)...], as: UTF8.self) } ?? ""
        if operation.hasPrefix("clone:") {
            published.insert(Array(commits[1]))
        } else if operation.hasSuffix(": Fast-forward")
            || operation.hasPrefix("reset: moving to origin/")
            || operation == "reset: moving to FETCH_HEAD"
        {
            fetched.insert(Array(commits[1]))
        } else if commits[0] != commits[1], !operation.hasPrefix("checkout: moving from ") {
            hasLocalWork = true
            hasNewCommits = hasNewCommits || Self.creators.contains { operation.hasPrefix($0) }
        }
    }

    /// How operations that create commits begin in a reflog. See git-reflog(1).
    private static let creators = [
        "commit", "merge", "rebase", "cherry-pick", "revert", "am", "pull --rebase",
    ]
}
