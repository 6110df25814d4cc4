//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// What goes against the conventions of Apple's layouts (R4).
struct ConventionFindings {
    private let survey: AuditSurvey
    private let layout: Layout

    init(_ survey: AuditSurvey, _ layout: Layout) {
        self.survey = survey
        self.layout = layout
    }

    private var inventory: Inventory { survey.inventory }

    func all() -> [AuditFinding] {
        switch layout.kind {
        case .appleContainer:
            names(in: ["Library", "Library/Application Support", "Library/Caches", "Documents"])
                + several(in: ["Library", "Library/Caches", "Documents"])
                + preferences() + inbox()
        case .appleGroup:
            names(in: ["Library", "Library/Application Support", "Library/Caches"])
                + several(in: ["Library", "Library/Caches"]) + preferences()
        case .xdg, .system, .custom, .catalogue, .systemCatalogue: []
        }
    }

    private func directory(_ name: String) -> InventoryDirectory? {
        inventory.directory(at: layout.root.appending(name))
    }

    // MARK: - Directories of the app's own

    /// The first-level directories that are neither roles nor the system's, nor named by a bundle
    /// identifier.
    private func own(in name: String) -> [InventoryDirectory] {
        guard let parent = directory(name) else { return [] }
        return parent.children.filter { child in
            guard let name = child.name, !child.isReserved else { return false }
            let entry = survey.directories[Int(child.number)]
            return !entry.isRoleRoot && !AuditPlaces.isSystem(name) && name.bytes.first != 0x2E
                && !name.bytes.contains(0x2E)
        }.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    }

    private func names(in parents: [String]) -> [AuditFinding] {
        parents.flatMap { parent in
            own(in: parent).compactMap { child in
                guard let name = child.name?.text, !Self.isPascalCase(name) else { return nil }
                let path = child.path
                let better = Self.pascalCase(name).flatMap { FilePath.Component($0) }
                return AuditFinding(
                    .directoryName, .note, path, bytes: ByteCount(child.totals.allocated),
                    items: child.totals.files,
                    "Directories of an app's own are named in PascalCase.",
                    fix: better.map { better in
                        AuditFix(
                            .rename(path, to: path.removingLastComponent().appending(better)),
                            isSafe: false)
                    })
            }
        }
    }

    static func isPascalCase(_ name: String) -> Bool {
        guard let first = name.utf8.first, (0x41...0x5A).contains(first) else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: false
            }
        }
    }

    /// The words of a name, each with a capital; nil if there is no letter of ASCII in it.
    static func pascalCase(_ name: String) -> String? {
        let words = name.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        let joined = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return isPascalCase(joined) ? joined : nil
    }

    private func several(in parents: [String]) -> [AuditFinding] {
        parents.compactMap { parent in
            let children = own(in: parent)
            guard children.count > 1 else { return nil }
            let shown = children.prefix(4).compactMap { $0.name?.text }.joined(separator: ", ")
            return AuditFinding(
                .severalAppDirectories, .note, layout.root.appending(parent),
                bytes: ByteCount(children.reduce(0) { $0 + $1.totals.allocated }),
                items: children.count,
                "It holds \(children.count) directories of the app's own (\(shown)"
                    + (children.count > 4 ? ", …" : "")
                    + "); one with the app's name in which all others lie is enough.")
        }
    }

    // MARK: - Places of the system

    private func preferences() -> [AuditFinding] {
        guard let directory = directory("Library/Preferences") else { return [] }
        let files: [AuditFinding] = directory.items.compactMap { item in
            let name = item.name.text
            // The system names its files by domain: com.example.Podcaster.plist.
            let isDomain = name.hasSuffix(".plist") && name.dropLast(6).contains(".")
            // What it writes before a rename, and locks.
            let isTransient = name.hasSuffix(".lockfile") || name.contains(".plist.")
            guard !isDomain, !isTransient, name != ".DS_Store" else { return nil }
            return finding(item.path, item.allocated, 1)
        }
        let directories: [AuditFinding] = directory.children.compactMap { child in
            guard child.name?.text != "ByHost" else { return nil }
            return finding(child.path, ByteCount(child.totals.allocated), child.totals.files)
        }
        return files + directories

        func finding(_ path: FilePath, _ bytes: ByteCount, _ items: Int) -> AuditFinding {
            misplaced(
                .handwrittenPreferences, path, bytes, items,
                "Preferences belongs to the preferences system. What an app writes itself goes to "
                    + "Application Support.")
        }
    }

    /// Other apps hand over documents: no databases, hidden files, or directories that are no
    /// packages.
    private func inbox() -> [AuditFinding] {
        guard let directory = directory("Documents/Inbox") else { return [] }
        let files: [AuditFinding] = directory.items.compactMap { item in
            let name = item.name
            let isOwn =
                name.bytes.first == 0x2E || FileKind(name: name) == .database
                || ["-wal", "-shm", "-journal", ".tmp"].contains { name.text.hasSuffix($0) }
                || inventory.itemMarks[item.number] != nil
            guard isOwn, name.text != ".DS_Store" else { return nil }
            return finding(item.path, item.allocated, 1)
        }
        let directories: [AuditFinding] = directory.children.compactMap { child in
            guard let name = child.name, name.bytes.first == 0x2E || !name.bytes.contains(0x2E)
            else { return nil }
            return finding(child.path, ByteCount(child.totals.allocated), child.totals.files)
        }
        return files + directories

        func finding(_ path: FilePath, _ bytes: ByteCount, _ items: Int) -> AuditFinding {
            misplaced(
                .createdInInbox, path, bytes, items,
                "Nothing is created in Inbox: it is where other apps hand over documents, to be "
                    + "read and deleted.")
        }
    }

    /// Something that an app has put where it does not belong.
    private func misplaced(
        _ code: AuditFinding.Code, _ path: FilePath, _ bytes: ByteCount, _ items: Int,
        _ text: String
    ) -> AuditFinding {
        AuditFinding(
            code, .advice, path, bytes: bytes, items: items, text,
            fix: AuditFix(
                .move(path, into: layout.root.appending("Library/Application Support")),
                isSafe: false))
    }
}
