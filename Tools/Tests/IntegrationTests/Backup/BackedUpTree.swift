//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage

/// A home with something left out of backups in every way there is, and names of every kind.
///
/// What has to be in a backup has a name with `kept` in its content, what has not has `left out`.
struct BackedUpTree {
    let home: Home
    let workspace: Workspace

    /// Names that mean something to one program or another, each with a neighbour that a pattern
    /// would match which took it at its word.
    static let names: [(odd: [UInt8], neighbour: [UInt8])] =
        [
            ("a*b", "axxb"), ("star*", "star1"), ("**", "zz"), ("a?b", "axb"), ("[ab]", "a"),
            ("[!a]", "c"), ("[", "]"), ("back\\slash", "backslash"), ("\\*", "\\x"),
            ("a\\*b?", "a\\xbc"), ("$HOME", "HOME"), ("${HOME}", "$"), ("$$", "$$$"),
            (" lead", "lead"), ("trail ", "trail"), ("tab\t", "tab"), ("two  ", "two "),
            ("no-break\u{A0}", "no-break"), ("next\u{85}", "next"), ("unit\u{1F}", "unit"),
            ("car\rriage", "car riage"), ("end\r", "end"), ("#hash", "hash"), ("!neg", "neg"),
            ("- minus", "minus"), ("+ plus", "plus"), ("; semi", "semi"), ("{a,b}", "b"),
            ("'q\"", "q"), ("~", "~~"), ("-x", "x"), ("%41", "A"), ("é", "e"),
            ("e\u{301}", "e\u{302}"), ("日本", "日"), ("re:x", "re"), ("pp:x", "pp"),
            ("a.b", "acb"), ("(a)", "(b)"), ("a|b", "a|c"), ("^a", "^b"), ("a$", "a$$"),
            ("\\n", "n"), ("\\", "\\\\"),
        ].map { (Array($0.utf8), Array($1.utf8)) } + [
            ([0xFF, 0xFE], [0xFF, 0xFD]), ([0x61, 0x80, 0x2A], [0x61, 0x80, 0x62]),
            ([0xC3, 0x28], [0xC3, 0x29]), ([0xED, 0xA0, 0x80], [0xED, 0xA0, 0x81]),
            ([0x78, 0xFF, 0x20], [0x78, 0xFF]),
        ]
    /// What tar has no way to say.
    static let names2: [(odd: [UInt8], neighbour: [UInt8])] = [
        ("new\nline", "new line"), ("end\n", "end2"), ("\n", "n2"), ("a\n*", "a\nb"),
    ].map { (Array($0.utf8), Array($1.utf8)) }

    init(newlines: Bool) throws {
        home = try Home(on: .disk)
        let path = home.path
        workspace = Workspace.open(
            environment: ["TMPDIR": path.appending("tmp").string], home: path,
            ledgerDirectory: home.directory.path.appending("state"), minIdle: .none,
            clock: { Timestamp.now() })
        try makePlain()
        let names = newlines ? Self.names + Self.names2 : Self.names
        var leftOut: [UInt8] = []
        for (odd, neighbour) in names {
            let files: TreePath = "home/Documents/files"
            try file(files / TreePath(name: odd), isKept: false)
            leftOut += path.string.utf8 + Array("/Documents/files/".utf8) + odd + [0]
            try file(files / TreePath(name: neighbour), isKept: true)
            let folders: TreePath = "home/Documents/folders"
            try file(folders / TreePath(name: odd) / "x", isKept: false)
            try file(folders / TreePath(name: odd) / "CACHEDIR.TAG", Self.tag)
            try file(folders / TreePath(name: neighbour) / "x", isKept: true)
        }
        try home.tree.file("names", contents: leftOut)
        try setAttributes(home.directory.path.appending("names"))
    }

    private static let tag = "Signature: 8a477f597d28d172789f06886806bc55\nleft out\n"

    /// Sets the attribute that says so on files whose paths a file lists, each with a NUL.
    private func setAttributes(_ list: FilePath) throws {
        let script = """
            import os, sys
            for path in open(sys.argv[1], 'rb').read().split(b'\\0')[:-1]:
                os.setxattr(path, 'user.xdg.robots.backup', b'false')
            """
        try run("python3", ["-c", script, list.string])
    }

    private func makePlain() throws {
        for name in [
            "Documents/letter", "Documents/Trip/photo.jpg", ".config/app/settings", "a/.cache/x",
            "Podcasts/notes", "build/src/main", ".local/share/app/data",
        ] {
            try file(TreePath("home/" + name), isKept: true)
        }
        for name in [
            // By their place.
            ".cache/pip/wheel", "tmp/scratch", ".local/state/tmp/x",
            // By a mark.
            "Podcasts/offline/one", "Podcasts/episode", "build/out/main.o", "Documents/draft",
            // By the word of others.
            "build/target/debug/bin", "Documents/attribute",
            "Documents/flagged",
        ] {
            try file(TreePath("home/" + name), isKept: false)
        }
        try home.tree.symbolicLink("home/Documents/link", to: "../.cache/pip")
        try mark("home/Podcasts/offline") { $0.purgeClass = .lastResort }
        try mark("home/Podcasts/episode") { $0.purgeClass = .cache }
        try mark("home/build/out") { $0.isExcludedFromBackup = true }
        try mark("home/Documents/draft") { $0.isExcludedFromBackup = true }
        try file("home/build/target/CACHEDIR.TAG", Self.tag)
        let one = home.path.appending("Documents/attribute").string
        try home.tree.file("names", text: one + "\0")
        try setAttributes(home.directory.path.appending("names"))
        try home.tree.remove("names")
        try run("chattr", ["+d", home.path.appending("Documents/flagged").string])
    }

    private func file(_ path: TreePath, isKept: Bool) throws {
        try file(path, (isKept ? "kept" : "left out") + " \(path)")
    }

    private func file(_ path: TreePath, _ text: String) throws {
        try home.tree.file(path, text: text)
    }

    private func mark(_ path: TreePath, _ change: (inout Mark) -> Void) throws {
        try workspace.mark(home.tree.path(path), change)
    }

    // MARK: - Programs

    @discardableResult
    func run(
        _ program: String, _ arguments: [String], in directory: FilePath? = nil,
        locale: String = "C.UTF-8"
    ) throws -> ChildResult {
        let base = home.directory.path
        let result = try ChildProcess.run(
            program, arguments,
            environment: [
                "LC_ALL": locale, "HOME": home.path.string, "RESTIC_PASSWORD": "x",
                "BORG_BASE_DIR": base.appending("borg").string,
                "BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK": "yes",
                "BORG_RELOCATED_REPO_ACCESS_IS_OK": "yes",
            ], directory: directory)
        guard result.succeeded else {
            throw BackupFailure(program: program, arguments: arguments, errors: result.errors)
        }
        return result
    }

    struct BackupFailure: Error {
        var program: String
        var arguments: [String]
        var errors: String
    }

    /// A directory beside the home.
    func place(_ name: String) throws -> FilePath {
        let path = TreePath(name)
        if !home.tree.exists(path) { try home.tree.directory(path) }
        return home.tree.path(path)
    }

    /// The list that the program itself writes.
    func excludes(for program: String, expecting code: Int32 = 0) throws -> FilePath {
        let result = try home.run("audit", home.path.string, "--excludes", program)
        guard result.exitCode == code else {
            throw BackupFailure(
                program: "headroom", arguments: [program, "\(result.exitCode ?? -1)"],
                errors: result.errors)
        }
        try home.tree.file(TreePath("list-" + program), contents: result.standardOutput)
        return home.directory.path.appending("list-" + program)
    }

    // MARK: - What is there

    /// The files below a directory beside the home, by their names' bytes, with their contents.
    func files(below place: TreePath) throws -> [[UInt8]: [UInt8]] {
        var found: [[UInt8]: [UInt8]] = [:]
        var waiting: [(TreePath, [UInt8])] = [(place, [])]
        while let (directory, prefix) = waiting.popLast() {
            for name in try home.tree.names(in: directory) {
                let path = directory / TreePath([name])
                let relative = prefix + name.bytes
                switch try home.tree.status(of: path).type {
                case .directory: waiting.append((path, relative + [0x2F]))
                case .regular: found[relative] = try home.tree.contents(of: path)
                default: found[relative] = []
                }
            }
        }
        return found
    }

    /// Every file of the home that has to be in a backup.
    func expected() throws -> [[UInt8]: [UInt8]] {
        try files(below: "home").filter { name, content in
            let isTag = name.suffix(12) == Array("CACHEDIR.TAG".utf8)[...]
            return !isTag && !content.starts(with: Array("left out".utf8))
        }
    }
}

/// What is in one and not in the other, for people.
func difference(_ left: [[UInt8]: [UInt8]], _ right: [[UInt8]: [UInt8]]) -> [String] {
    let changed = left.filter { right[$0.key] != $0.value }.map {
        "only in the first: \($0.key.text)"
    }
    let new = right.filter { left[$0.key] != $0.value }.map { "only in the second: \($0.key.text)" }
    return (changed + new).sorted()
}

extension [UInt8] {
    fileprivate var text: String {
        FilePath(String(decoding: self, as: UTF8.self)).displayText + " \(self)"
    }
}
