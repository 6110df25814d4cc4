//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform

// People also work in temporary directories: they try a script, unpack photos, edit a document, record network traffic.
// Their files can be told by their names. Without a declaration, these are purged as a last resort.

/// A file that someone may have made or put into a temporary directory to use it later.
enum FoundWork {
    /// What a file is, with its article; nil if its name doesn't look like someone's work.
    ///
    /// - Complexity: O(length of the name).
    static func kind(of name: EntryName, _ item: ItemRecord) -> String? {
        guard item.type == .regular, item.logical > 0 else { return nil }
        switch FileKind(name) {
        case .video: return "a video"
        case .image: return "a picture"
        case .audio: return "a sound file"
        case .pdf: return "a PDF document"
        case .document: return isPackageText(name) ? nil : "a document"
        case .diskImage: return "a disk image"
        case .database: return "a database"
        case .code: return isGenerated(name) ? nil : "source code"
        case .archive: return isPackage(name) ? nil : "an archive"
        case .library: return nil
        case .other: return other(name)
        }
    }

    /// Texts that come with packages and source archives, such as `README.md` and `top_level.txt`.
    private static func isPackageText(_ name: EntryName) -> Bool {
        let parts = name.owned.text.lowercased().split(separator: ".")
        guard parts.count == 2, ["txt", "md", "rst"].contains(parts[1]) else { return false }
        return packageTexts.contains(String(parts[0]))
    }

    private static let packageTexts: Set<String> = [
        "readme", "license", "licence", "copying", "notice", "changelog", "changes", "authors",
        "version", "requirements", "top_level", "entry_points", "sources", "dependency_links",
    ]

    /// Mostly written by programs.
    private static func isGenerated(_ name: EntryName) -> Bool {
        let text = name.owned.text.lowercased()
        return text.hasSuffix(".json") || text.hasSuffix(".xml")
    }

    /// Packages that a package manager downloads again.
    private static func isPackage(_ name: EntryName) -> Bool {
        let text = name.owned.text.lowercased()
        return packages.contains { text.hasSuffix($0) }
    }

    private static let packages = [
        ".whl", ".jar", ".deb", ".rpm", ".gem", ".crate", ".pack", ".lz4",
    ]

    /// Thousands of endings, from `las` to `kdenlive`, stand for files that people make. Therefore each ending counts that
    /// programs don't use for their intermediate files.
    private static func other(_ name: EntryName) -> String? {
        let text = name.owned.text.lowercased()
        if manifests.contains(text) { return "part of a project" }
        if isDump(text) { return "a dump or trace" }
        guard let dot = text.lastIndex(of: "."), dot != text.startIndex else { return nil }
        let ending = text[text.index(after: dot)...]
        if ending.utf8.count == 3, ending.allSatisfy(\.isNumber) { return "part of an archive" }
        let isWord = ending.utf8.allSatisfy(isLetter) && (2...10).contains(ending.utf8.count)
        let isCode =
            ending.utf8.allSatisfy(isLetterOrDigit) && ending.utf8.contains(where: isLetter)
            && (2...5).contains(ending.utf8.count)
        guard isWord || isCode, !intermediate.contains(String(ending)) else { return nil }
        return "a file of unknown kind"
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x30...0x39).contains(byte)
    }

    /// `core`, `core.nginx.4711.1730000000`, `hs_err_pid4711.log`, `vmcore`, `events.out.tfevents.1727777777.host.0`.
    private static func isDump(_ text: String) -> Bool {
        let isCore = text == "core" || text.hasPrefix("core.") && text.last?.isNumber == true
        return isCore || text.hasPrefix("hs_err_pid") || text.hasPrefix("vmcore")
            || text.hasPrefix("events.out.tfevents.")
    }

    /// Files without an ending that tell a project.
    private static let manifests: Set<String> = [
        "makefile", "gnumakefile", "dockerfile", "containerfile", "vagrantfile", "jenkinsfile",
        "gemfile", "rakefile", "procfile", "justfile", "pipfile", ".config", "control",
    ]

    /// The endings of temporary and intermediate files of programs, compilers and linkers. `bin`, `dat` and `out` aren't here:
    /// flashrom saves firmware as `bios.bin`, and Slurm results as `slurm-123.out`.
    private static let intermediate: Set<String> = [
        "tmp", "temp", "log", "lock", "lck", "pid", "sock", "socket", "cache", "err", "obj", "ilk",
        "idb", "pch", "gch", "dep", "deps", "bc", "ll", "ninja", "stamp", "swiftmodule", "swiftdoc",
        "swiftdeps", "dia", "part", "partial", "download", "crdownload", "idx", "index", "wal",
        "shm", "state", "ready", "done", "fifo",
    ]

    /// Whether package managers, compilers or test runners generated the name of a directory. They copied or generated its
    /// content. Names that people may give, such as `npm-demo` or `go-builder`, don't count.
    static func isLeftover(_ name: EntryName) -> Bool {
        let bytes = name.owned.bytes
        return leftovers.contains { $0.matches(bytes) }
    }

    /// From pip, Yarn, Go, Cargo, Node.js, PyTorch, Foundation, Nix, pytest, Ansible, Playwright and Puppeteer.
    private static let leftovers = [
        "pip-req-build-[a-z0-9_]{8}", "pip-build-env-[a-z0-9_]{8}", "pip-install-[a-z0-9_]{8}",
        "pip-unpack-[a-z0-9_]{8}", "pip-ephem-wheel-cache-[a-z0-9_]{8}",
        "pip-modern-metadata-[a-z0-9_]{8}", "pip-wheel-[a-z0-9_]{8}", "yarn--[0-9]*",
        "go-build[0-9]*", "cargo-install[A-Za-z0-9]{6}", "node-compile-cache",
        "v8-compile-cache-[0-9]*", "torchinductor_*", "TemporaryDirectory.[A-Za-z0-9]{6}",
        "nix-build-*.drv-[0-9]*", "pytest-of-*", "ansible-tmp-[0-9]*",
        "playwright-artifacts-[A-Za-z0-9]{6}", "playwright_*dev_profile-[A-Za-z0-9]{6}",
        "puppeteer_dev_*profile-[A-Za-z0-9]{6}",
    ].compactMap { NameGlob($0.utf8, hasCounts: true) }
}

extension Inventory {
    /// Whether files of a directory are judged by ``FoundWork``: it is a temporary directory that neither a person nor the
    /// catalog describes.
    func mayHoldWork(_ record: DirectoryRecord) -> Bool {
        guard let area = area(of: record), area.unit == .directory, !area.isTrash,
            record.mark.mark.purgeClass == nil
        else { return false }
        switch area.purgeClass {
        case .temporary: return area.catalogueID == nil
        case .cache: return isInTemporaryDirectory(record)
        case .lastResort, .essential: return false
        }
    }

    /// Whether a directory of a cache is, or lies in, the `tmp` of its top level. Programs in Flatpak set `TMPDIR` to it.
    private func isInTemporaryDirectory(_ record: DirectoryRecord) -> Bool {
        var current = record
        while !current.flags.contains(.areaRoot), current.parent != DirectoryRecord.none {
            let parent = directories[Int(current.parent)]
            if parent.flags.contains(.areaRoot) {
                return current.entryName.isEqual("tmp") || current.entryName.isEqual("temp")
            }
            current = parent
        }
        return false
    }

    /// The names, up to the first dot, of the files in a directory that look like someone's work. Others with such a name belong
    /// to them: `road.shp` and `road.dbf`, `film.mkv` and `film.srt`.
    func workStems(in directory: UInt32) -> Set<[UInt8]> {
        var stems: Set<[UInt8]> = []
        forEachRecord(of: directory) { id, item in
            if isWork(id, item) { stems.insert(stem(ofItem: id)) }
        }
        return stems
    }

    func stem(ofItem id: UInt32) -> [UInt8] {
        let bytes = name(ofItem: id).owned.bytes
        let dot = bytes.dropFirst().firstIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
        return Array(bytes[..<dot])
    }

    /// Whether a file looks like someone's work, and has no class mark of its own.
    func isWork(_ id: UInt32, _ item: ItemRecord) -> Bool {
        FoundWork.kind(of: name(ofItem: id), item) != nil
            && !(item.flags.contains(.marked) && mark(ofItem: id).purgeClass != nil)
    }
}

/// The directories of a unit whose files a package manager or a program created: they are no one's work.
struct InstalledDirectories {
    private var numbers: Set<UInt32> = []

    /// Takes a directory; its parent has been taken before.
    ///
    /// - Returns: whether it is, or is below, such a directory.
    mutating func add(_ number: UInt32, in inventory: Inventory) -> Bool {
        let record = inventory.directories[Int(number)]
        let isTop: Bool
        switch inventory.structures[number]?.kind {
        case .nodeModules, .virtualEnvironment, .taggedCache: isTop = true
        default:
            isTop =
                record.parent != DirectoryRecord.none
                && inventory.directories[Int(record.parent)].flags.contains(.areaRoot)
                && FoundWork.isLeftover(record.entryName)
        }
        guard isTop || !numbers.isEmpty && numbers.contains(record.parent) else { return false }
        numbers.insert(number)
        return true
    }
}
