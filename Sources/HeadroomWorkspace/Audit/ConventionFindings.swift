//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
import SystemPackage

/// What goes against the conventions of Apple's layouts (R4).
struct ConventionFindings {
    private let survey: AuditSurvey
    private let layout: Layout
    private let proposed: ProposedNames
    /// How many directories one command moves.
    private static let moveLimit = 50

    init(_ survey: AuditSurvey, _ layout: Layout, _ proposed: ProposedNames) {
        self.survey = survey
        self.layout = layout
        self.proposed = proposed
    }

    private var inventory: Inventory { survey.inventory }

    func all() -> [AuditFinding] {
        switch layout.kind {
        case .appleContainer:
            names(in: ["Library", "Library/Application Support", "Library/Caches", "Documents"])
                + several(in: ["Library", "Library/Caches", "Documents"])
                // mutation: r4b-1
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
                guard let name = child.name, !Self.isPascalCase(name.text) else { return nil }
                let path = child.path
                let around = path.removingLastComponent()
                let better = proposed.claim(
                    FileName(unchecked: Array(Self.pascalCase(name.text).utf8)), in: around,
                    replacing: name, isAllowed: { !Self.isRole($0) })
                return AuditFinding(
                    .directoryName, .note, path, bytes: ByteCount(child.totals.allocated),
                    items: child.totals.files,
                    "Directories of an app's own are named in PascalCase.",
                    fix: AuditFix(.rename(path, to: around.appending(better)), isSafe: false))
            }
        }
    }

    /// Whether a name would make a directory something else than the app's own.
    private static func isRole(_ name: FileName) -> Bool {
        AuditPlaces.isSystem(name) || ["Caches", "Preferences", "Inbox"].contains(name.text)
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

    /// The words of a name, each with a capital: `MyOwnStuff` for `my_own-stuff`. What does not begin
    /// with a letter has one put in front: `Data2024`, and `Data` where there is nothing of ASCII.
    static func pascalCase(_ name: String) -> String {
        let words = name.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        let joined = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        // With what is put in front, or a number at its end, it is still a name.
        let short = String(joined.prefix(200))
        return isPascalCase(short) ? short : "Data" + short
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
                    + "); one with the app's name in which all others lie is enough.",
                fix: AuditFix(
                    gathering(children, in: layout.root.appending(parent)), isSafe: false))
        }
    }

    /// The move of directories into one of them: that with the app's name, else the largest. If none
    /// may hold the others, a new one is made for all.
    private func gathering(
        _ children: [InventoryDirectory], in parent: FilePath
    ) -> AuditFix.Action {
        let sorted = children.sorted { isBetter($0, $1) }
        guard let holder = sorted.first(where: { mayHold(children, $0) }) else {
            let name = FileName(unchecked: Array(Self.pascalCase(appName ?? "AppData").utf8))
            let made = parent.appending(proposed.claim(name, in: parent))
            return .move(
                children.prefix(Self.moveLimit).map(\.path), into: made, makesDirectory: true)
        }
        let others = children.filter { $0 != holder }.prefix(Self.moveLimit)
        return .move(others.map(\.path), into: holder.path, makesDirectory: false)
    }

    /// Whether a directory may take in others: nothing has one of their names there, and they would be
    /// neither purged nor left out of backups for lying in it.
    private func mayHold(
        _ others: [InventoryDirectory], _ directory: InventoryDirectory
    ) -> Bool {
        guard let parent = directory.parent else { return false }
        let entry = survey.directories[Int(directory.number)]
        switch entry.basis {
        case .rule, .tag: return false
        case .declared, nil: break
        }
        let around = survey.directories[Int(parent.number)]
        guard directory.purgeClass == parent.purgeClass, directory.isPinned == parent.isPinned,
            entry.backup == .included || around.backup != .included
        else { return false }
        let names = others.filter { $0 != directory }.compactMap(\.name)
        return proposed.areFree(names, in: directory.path)
    }

    private func isBetter(_ left: InventoryDirectory, _ right: InventoryDirectory) -> Bool {
        if rank(left) != rank(right) { return rank(left) < rank(right) }
        if left.totals.allocated != right.totals.allocated {
            return left.totals.allocated > right.totals.allocated
        }
        return left.path.bytes.lexicographicallyPrecedes(right.path.bytes)
    }

    private func rank(_ directory: InventoryDirectory) -> Int {
        let name = directory.name?.text ?? ""
        if name == appName { return 0 }
        return Self.isPascalCase(name) ? 1 : 2
    }

    /// As the app itself is called, where it lies in its container.
    private var appName: String? {
        layout.areas.first { $0.root.extension == "app" }?.root.stem
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
                proposed.move(path, into: layout.root.appending("Library/Application Support")),
                isSafe: false))
    }
}
