//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform

/// Compares the work tree of a Git repository, as it was scanned, with its index.
struct GitWorkTree {
    private let files: ScannedFiles
    private let directory: UInt32
    private let gitDirectory: UInt32
    private let index: GitIndex

    init(
        _ files: ScannedFiles, _ directory: UInt32, _ gitDirectory: UInt32, _ index: GitIndex
    ) {
        self.files = files
        self.directory = directory
        self.gitDirectory = gitDirectory
        self.index = index
    }

    /// The work that is not committed, as the end of a sentence: "with a changed file (src/main.c)".
    ///
    /// A file counts as unchanged if its size and its modification time in seconds are those of the index. Files
    /// that Git doesn't track count as work, unless the `.gitignore` at the top of the work tree ignores them and their
    /// names are not those of keys, settings, databases or documents.
    ///
    /// - Returns: nil if everything is committed.
    func uncommitted() -> String? {
        if index.hasSpecialEntries { return "with conflicts, submodules or hidden changes" }
        if !index.isTreeOfCommit { return "with changes that may be staged" }
        return difference(countsUntracked: true)
    }

    /// The same, of tracked files alone: a program may have installed into the work tree.
    func changed() -> String? { difference(countsUntracked: false) }

    private func difference(countsUntracked: Bool) -> String? {
        let inventory = files.inventory
        var known: [[UInt8]: GitIndex.Entry] = [:]
        known.reserveCapacity(index.entries.count)
        for entry in index.entries { known[entry.path] = entry }
        let ignored = files.file(directory, ".gitignore").map {
            GitIgnore(files.content(of: $0) ?? Array("!".utf8))
        }
        let prefix = inventory.path(ofDirectory: directory).bytes.count + 1
        var answer: String?
        inventory.forEachDirectory(below: directory) { number in
            guard answer == nil, !isInGitDirectory(number) else { return }
            let parent =
                number == directory
                ? [] : inventory.path(ofDirectory: number).bytes.dropFirst(prefix) + [0x2F]
            inventory.forEachRecord(of: number) { id, item in
                guard answer == nil else { return }
                let name = inventory.name(ofItem: id).owned
                let path = parent + name.bytes
                if let entry = known[path] {
                    let isSame =
                        entry.modified == item.modified
                        && entry.size == UInt32(truncatingIfNeeded: item.logical)
                    if !isSame { answer = "with a changed file (\(text(path)))" }
                } else if !countsUntracked {
                    return
                } else if ignored?.ignores(path) != true {
                    answer = "with a file that Git doesn't track (\(text(path)))"
                } else if Self.isIrreplaceable(name), !isInstalled(number) {
                    answer = "with an ignored file that can't be created again (\(text(path)))"
                }
            }
        }
        return answer
    }

    /// Whether an ignored file is more than a build output: people ignore their keys, settings and data, too.
    private static func isIrreplaceable(_ name: FileName) -> Bool {
        switch FileKind(name: name) {
        case .video, .audio, .image, .pdf, .document, .database: return true
        case .archive, .diskImage, .code, .library, .other: break
        }
        let text = name.text.lowercased()
        return prefixes.contains { text.hasPrefix($0) } || secrets.contains { text.hasSuffix($0) }
    }

    /// From the documentation of dotenv, OpenSSH, npm, PyPI and curl.
    private static let prefixes = [
        ".env", "id_", ".npmrc", ".pypirc", ".netrc", "secret", "credentials",
    ]

    /// From the documentation of dotenv, Terraform, OpenSSL, Android and Visual Studio.
    private static let secrets = [
        ".tfstate", ".tfstate.backup", ".tfvars", ".pem", ".key", ".p12", ".pfx", ".jks",
        ".keystore",
        "local.properties", "local.settings.json", ".local", ".secret", ".secrets", ".local.yml",
        ".local.yaml", ".local.json", ".local.toml",
        ".ipynb", ".kdbx", ".gpg", ".asc",
    ]

    /// Whether a directory lies in packages that a package manager installed into the work tree.
    private func isInstalled(_ number: UInt32) -> Bool {
        var current = number
        while current != directory, current != DirectoryRecord.none {
            switch files.inventory.structures[current]?.kind {
            case .nodeModules, .virtualEnvironment: return true
            default: current = files.inventory.directories[Int(current)].parent
            }
        }
        return false
    }

    private func isInGitDirectory(_ number: UInt32) -> Bool {
        var current = number
        while current != directory, current != DirectoryRecord.none {
            if current == gitDirectory { return true }
            current = files.inventory.directories[Int(current)].parent
        }
        return false
    }

    private func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }
}

/// The plain patterns of a `.gitignore` (gitignore(5)): names, `*.o`, `build/`, `/dist`.
///
/// Patterns that it can't decide ignore nothing: a file that Git would ignore may count as work, never the other way
/// round. A file with a negated pattern ignores nothing at all.
struct GitIgnore {
    private var names: [NameGlob] = []
    private var anchored: [[UInt8]] = []

    init(_ content: [UInt8]) {
        for line in content.split(separator: UInt8(ascii: "\n")) {
            var line = line
            while let last = line.last, last == 0x20 || last == 0x0D { line.removeLast() }
            guard let first = line.first, first != 0x23 else { continue }
            if first == UInt8(ascii: "!") {
                names = []
                anchored = []
                return
            }
            let isAnchored = first == 0x2F
            if isAnchored { line.removeFirst() }
            if line.last == 0x2F { line.removeLast() }
            let isPath = line.contains(0x2F)
            if isAnchored || isPath {
                let special: [UInt8] = [0x2A, 0x3F, 0x5B, 0x5C]
                if !line.contains(where: special.contains) { anchored.append(Array(line)) }
            } else if let glob = NameGlob(line) {
                names.append(glob)
            }
        }
    }

    /// Whether a path, relative to the work tree, or a directory on the way to it is ignored.
    func ignores(_ path: [UInt8]) -> Bool {
        if path.split(separator: 0x2F).contains(where: { part in
            names.contains { $0.matches(Array(part)) }
        }) {
            return true
        }
        return anchored.contains { pattern in
            path == pattern || path.starts(with: pattern + [0x2F])
        }
    }
}
