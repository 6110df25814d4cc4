//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// Finds structures in the directories of a scan: by the names of directories and the flags that names of files
/// gave their directories. No system call, no second walk.
enum StructureFinder {
    /// The evidence that the names of its subdirectories give about a directory.
    private struct Evidence: OptionSet {
        let rawValue: UInt16

        static let git = Evidence(rawValue: 1)
        static let objects = Evidence(rawValue: 2)
        static let references = Evidence(rawValue: 4)
        static let otherSystem = Evidence(rawValue: 8)
        static let environment = Evidence(rawValue: 16)
        static let keys = Evidence(rawValue: 32)
        static let data = Evidence(rawValue: 64)
        static let snapshots = Evidence(rawValue: 128)
        static let drive = Evidence(rawValue: 256)
        static let pulumi = Evidence(rawValue: 512)
    }

    /// Returns the structures by directory number. `CACHEDIR.TAG` files are not read here.
    ///
    /// - Complexity: O(directories).
    static func find(in directories: [DirectoryRecord]) -> [UInt32: Structure.Kind] {
        var evidence: [UInt32: Evidence] = [:]
        var found: [UInt32: Structure.Kind] = [:]
        for (number, record) in directories.enumerated() {
            let number = UInt32(number)
            if record.parent != DirectoryRecord.none {
                let own = Self.evidence(record.entryName)
                if !own.isEmpty { evidence[record.parent, default: []].formUnion(own) }
                if isNodeModules(record.entryName) { found[number] = .nodeModules }
                if let store = dataStore(record, directories) { found[store] = .dataStore }
            }
            guard !record.flags.isDisjoint(with: .byFileName), !isShared(record) else { continue }
            if record.flags.contains(.hasGitFile) { found[number] = .gitRepository }
            if record.flags.contains(.hasVirtualEnvironment) {
                found[number] = .virtualEnvironment
            }
            if record.flags.isSuperset(of: .database) || record.flags.contains(.hasDatabaseFile) {
                found[number] = .database
            }
            if record.flags.contains(.hasFossilFile) { found[number] = .otherRepository }
            // In `.terraform`, such a file holds settings.
            if record.flags.contains(.hasStateFile), !record.entryName.isEqual(".terraform") {
                found[number] = .infrastructureState
            }
            if record.flags.contains(.hasBrowserFile) { found[number] = .browserProfile }
        }
        for (number, evidence) in evidence {
            if isShared(directories[Int(number)]) {
                if evidence.contains(.git) { markGitDirectory(of: number, directories, &found) }
            } else if evidence.contains(.git) {
                found[number] = .gitRepository
            } else if evidence.isSuperset(of: [.objects, .references]),
                directories[Int(number)].flags.contains(.hasHead),
                !isGitDirectory(number, directories)
            {
                found[number] = .bareGitRepository
            } else if evidence.contains(.otherSystem) {
                found[number] = .otherRepository
            } else if let kind = kept(evidence, directories[Int(number)].flags) {
                found[number] = kind
            } else if evidence.contains(.environment), found[number]?.doubt == nil {
                found[number] = .virtualEnvironment
            }
        }
        return found
    }

    /// The structure that subdirectories and files show together.
    private static func kept(
        _ evidence: Evidence, _ flags: DirectoryRecord.Flags
    ) -> Structure.Kind? {
        if evidence.contains(.drive), flags.contains(.hasRegistryFile) { return .winePrefix }
        if evidence.contains(.pulumi) { return .infrastructureState }
        guard evidence.contains(.data), flags.contains(.hasConfigFile) else { return nil }
        let isRestic = evidence.isSuperset(of: [.keys, .snapshots])
        return isRestic || flags.contains(.hasReadMe) ? .backupRepository : nil
    }

    /// The directory that contains `files/md5`, if a directory is that `md5`.
    @inline(__always)
    private static func dataStore(
        _ record: DirectoryRecord, _ directories: [DirectoryRecord]
    ) -> UInt32? {
        guard record.entryName.count == 3, record.entryName.isEqual("md5") else { return nil }
        let files = directories[Int(record.parent)]
        guard files.parent != DirectoryRecord.none, files.entryName.isEqual("files"),
            !isShared(directories[Int(files.parent)])
        else { return nil }
        return files.parent
    }

    /// Whether it is the root of an area that all users share, such as `/tmp`: a name that one of them creates there
    /// says nothing of the files of the others.
    private static func isShared(_ record: DirectoryRecord) -> Bool {
        record.flags.isSuperset(of: [.areaRoot, .sticky]) && record.owner == 0
    }

    /// Keeps the `.git` of a shared directory by itself, if there is a repository in it.
    private static func markGitDirectory(
        of directory: UInt32, _ directories: [DirectoryRecord],
        _ found: inout [UInt32: Structure.Kind]
    ) {
        var child = directories[Int(directory)].firstChild
        while child != DirectoryRecord.none {
            let record = directories[Int(child)]
            if record.entryName.isEqual(".git"), record.flags.contains(.hasHead) {
                found[child] = .bareGitRepository
            }
            child = record.nextSibling
        }
    }

    /// Whether it is the `.git` of a work tree, and not a repository of its own.
    private static func isGitDirectory(_ number: UInt32, _ directories: [DirectoryRecord]) -> Bool {
        let record = directories[Int(number)]
        return record.parent != DirectoryRecord.none && record.entryName.isEqual(".git")
    }

    /// Nearly all names are rejected by their length.
    @inline(__always)
    private static func evidence(_ name: EntryName) -> Evidence {
        switch name.count {
        case 3, 4, 6, 7, 9, 10: return named(name)
        default: return []
        }
    }

    @inline(never)
    private static func named(_ name: EntryName) -> Evidence {
        switch unsafe name.base[0] {
        case 0x2E:  // .
            if name.isEqual(".git") { return .git }
            if name.isEqual(".pulumi") { return .pulumi }
            let others: [StaticString] = [".hg", ".svn", ".bzr", ".jj", ".sl", ".pijul"]
            return others.contains { name.isEqual($0) } ? .otherSystem : []
        case 0x43: return name.isEqual("CVS") ? .otherSystem : []
        case 0x63: return name.isEqual("conda-meta") ? .environment : []
        case 0x64:
            if name.isEqual("data") { return .data }
            return name.isEqual("drive_c") ? .drive : []
        case 0x6B: return name.isEqual("keys") ? .keys : []
        case 0x73: return name.isEqual("snapshots") ? .snapshots : []
        case 0x5F: return name.isEqual("_darcs") ? .otherSystem : []
        case 0x6F: return name.isEqual("objects") ? .objects : []
        case 0x72: return name.isEqual("refs") ? .references : []
        default: return []
        }
    }

    @inline(__always)
    private static func isNodeModules(_ name: EntryName) -> Bool {
        name.count == 12 && name.isEqual("node_modules")
    }
}
