//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// Finds the structures of an inventory and, for repositories that could be purged, whether they hold work that
/// exists nowhere else.
///
/// Only files that were scanned are opened, in the state they were scanned in. If a
/// file can't be read, its repository is kept.
struct StructureSurvey {
    private let calls: any FileSystemCalls
    private let borrowers: BorrowerSearch?

    init(_ options: ScanOptions) {
        calls = options.calls ?? NativeCalls.make()
        borrowers = options.borrowers
    }

    /// Returns the inventory with its structures.
    ///
    /// - Complexity: O(directories), and for each purgeable repository O(its files).
    func complete(_ inventory: Inventory) -> Inventory {
        let kinds = StructureFinder.find(in: inventory.directories)
        var tagged: [UInt32] = []
        for (number, record) in inventory.directories.enumerated()
        where record.flags.contains(.hasTag) {
            tagged.append(UInt32(number))
        }
        guard !kinds.isEmpty || !tagged.isEmpty else { return inventory }
        var structures = kinds.mapValues { Structure(kind: $0, obstacle: nil) }
        let files = ScannedFiles(inventory.with(structures: structures), calls)
        for number in tagged where structures[number] == nil && isPurgeable(number, inventory) {
            if files.hasForeignTag(number) {
                structures[number] = Structure(kind: .taggedCache, obstacle: nil)
            }
        }
        var borrowed = Borrowed()
        for (number, kind) in kinds where kind == .gitRepository || kind == .bareGitRepository {
            if let lenders = GitInspection(files, number, kind).lenders() {
                borrowed.repositories.formUnion(lenders)
            } else {
                borrowed.unknownOwners.insert(inventory.directories[Int(number)].owner)
            }
        }
        for (number, kind) in kinds where isPurgeable(number, inventory) {
            structures[number]?.obstacle = obstacle(number, kind, files, borrowed)
        }
        return inventory.with(structures: structures)
    }

    /// What scanned repositories borrow.
    private struct Borrowed {
        /// Lenders, and the directories around them.
        var repositories: Set<UInt32> = []
        /// The owners of repositories whose `alternates` file can't be read: any repository of these users may be a
        /// lender.
        var unknownOwners: Set<UInt32> = []
    }

    private func obstacle(
        _ number: UInt32, _ kind: Structure.Kind, _ files: ScannedFiles, _ borrowed: Borrowed
    ) -> Reason? {
        switch kind {
        case .gitRepository, .bareGitRepository:
            if borrowed.repositories.contains(number) {
                return Reason(.repository, "Another Git repository borrows its objects.")
            }
            let record = files.inventory.directories[Int(number)]
            if borrowed.unknownOwners.contains(record.owner) {
                return Reason(
                    .repository,
                    "It is a Git repository that may lend objects: the alternates file of another one "
                        + "can't be read."
                )
            }
            let inspection = GitInspection(files, number, kind)
            let isClone = files.inventory.area(of: record)?.holdsClones == true
            if let work = isClone ? inspection.workInClone() : inspection.uniqueWork() {
                return Reason(.repository, "It is \(kind.spokenName) \(work).")
            }
            return isClone ? nil : outsideBorrower(of: number, files.inventory)
        default:
            return kind.doubt.map { doubt in
                Reason(
                    kind == .otherRepository ? .repository : .structure,
                    "It is \(kind.spokenName), and Headroom can't tell whether \(doubt).")
            }
        }
    }

    /// Why a repository is kept for one outside of the scan.
    private func outsideBorrower(of number: UInt32, _ inventory: Inventory) -> Reason? {
        guard let borrowers else { return nil }
        guard let lenders = borrowers.lenders() else {
            return Reason(
                .repository,
                "It is a Git repository, and the home could not be searched for repositories that "
                    + "borrow its objects.")
        }
        let path = inventory.path(ofDirectory: number)
        let resolved = (try? ResolvedDirectory(path).path) ?? path
        guard lenders.contains(where: { $0.starts(with: resolved) }) else { return nil }
        return Reason(.repository, "Another Git repository borrows its objects.")
    }

    private func isPurgeable(_ number: UInt32, _ inventory: Inventory) -> Bool {
        let record = inventory.directories[Int(number)]
        guard let area = inventory.area(of: record), !area.isTrash else { return false }
        return area.effectiveClass(record.mark.mark) != .essential
    }
}

extension Inventory {
    /// Whether a directory is a structure, or part of one.
    func isInStructure(_ directory: UInt32) -> Bool {
        if structures.isEmpty { return false }
        var current = directory
        while current != DirectoryRecord.none {
            if structures[current] != nil { return true }
            current = directories[Int(current)].parent
        }
        return false
    }
}
