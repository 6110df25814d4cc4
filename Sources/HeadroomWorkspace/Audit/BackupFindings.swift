//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
import SystemPackage

/// What is amiss with what is backed up and what is not (R12).
struct BackupFindings {
    let survey: AuditSurvey
    let evidence: [UInt32: FileEvidence]
    private let names: ProposedNames
    private let containers: [FilePath]

    init(survey: AuditSurvey, evidence: [UInt32: FileEvidence], names: ProposedNames) {
        self.survey = survey
        self.evidence = evidence
        self.names = names
        containers = survey.layouts.filter { $0.kind == .appleContainer || $0.kind == .appleGroup }
            .map(\.root)
    }

    private var inventory: Inventory { survey.inventory }

    func all() -> [AuditFinding] {
        var small = Small()
        return recreatableDirectories(&small) + files(&small) + small.findings(survey)
            // mutation: r12c-1
            + excludedDirectories() + excludedFiles()
    }

    /// What is too small to be reported by itself, by the root it was found below.
    private struct Small {
        private var sums: [Int: Sum] = [:]

        private struct Sum {
            var bytes: Int64 = 0
            var items = 0
            /// What `--fix` leaves out, once it is reported by itself.
            var fixable: Int64 = 0
            /// What lies directly in a role's root.
            var loose: Int64 = 0
        }

        /// How something small can be left out.
        enum Way {
            case fixable
            /// A person decides.
            case byHand
            /// It lies directly in a role's root, on which no tag is put.
            case loose
        }

        mutating func add(_ bytes: Int64, _ items: Int, root: Int, _ way: Way) {
            var sum = sums[root] ?? Sum()
            sum.bytes += bytes
            sum.items += items
            switch way {
            case .fixable: sum.fixable += bytes
            case .loose: sum.loose += bytes
            case .byHand: break
            }
            sums[root] = sum
        }

        func findings(_ survey: AuditSurvey) -> [AuditFinding] {
            sums.sorted { $0.key < $1.key }.compactMap { root, sum in
                guard ByteCount(sum.bytes) > survey.options.largeInAll else { return nil }
                let path = survey.inventory.roots[root].path
                let isListed = ByteCount(sum.loose) > survey.options.largeInAll
                let isGroup = survey.layouts.contains { $0.kind == .appleGroup && $0.root == path }
                // Whether what is left is little enough.
                let fixes = ByteCount(sum.bytes - sum.fixable) <= survey.options.largeInAll
                return AuditFinding(
                    .smallRecreatableInBackup, .advice, path, bytes: ByteCount(sum.bytes),
                    items: sum.items,
                    isListed
                        ? "Much that is small and can be had again is backed up, and lies where no "
                            + "tag is put: an exclude list leaves it out."
                        : "Much that is small and can be had again is backed up. With a lower bound "
                            + "each is reported by itself.",
                    fix: AuditFix(
                        isListed
                            ? .listExcludes(path)
                            : .auditSmall(path, fixes: fixes, isGroup: isGroup),
                        isSafe: false))
            }
        }
    }

    // MARK: - What can be had again, and is backed up

    /// The topmost directories of which all can be had again; of a role's root, what is in it, since
    /// no tag is put on a role.
    private func recreatableDirectories(_ small: inout Small) -> [AuditFinding] {
        var findings: [AuditFinding] = []
        var isExpanded = [Bool](repeating: false, count: survey.directories.count)
        for number in survey.directories.indices {
            let entry = survey.directories[number]
            let record = inventory.directories[number]
            let isRoot = record.parent == DirectoryRecord.none
            guard entry.basis != nil, entry.recreatable > 0, !record.flags.contains(.reserved),
                isRoot || survey.directories[Int(record.parent)].basis == nil
                    || isExpanded[Int(record.parent)]
            else { continue }
            let root = inventory.rootIndex(ofDirectory: UInt32(number))
            if entry.isRoleRoot {
                isExpanded[number] = true
                let below = children(UInt32(number)).reduce(into: (Int64(0), 0)) {
                    $0.0 += survey.directories[Int($1)].recreatable
                    $0.1 += survey.directories[Int($1)].recreatableItems
                }
                small.add(
                    entry.recreatable - below.0, entry.recreatableItems - below.1, root: root,
                    .loose)
            } else if entry.recreatable >= survey.options.largeEach.bytes
                || isConvention(entry, UInt32(number))
            {
                findings.append(finding(UInt32(number), entry))
            } else {
                small.add(
                    entry.recreatable, entry.recreatableItems, root: root,
                    isSafe(entry) ? .fixable : .byHand)
            }
        }
        return findings
    }

    /// In Apple's layouts such data is misplaced however small it is (R4).
    private func isConvention(_ entry: AuditSurvey.Entry, _ number: UInt32) -> Bool {
        guard case .rule = entry.basis else { return false }
        // mutation: r4c-1
        return [.documents, .applicationSupport, .group].contains(entry.role)
    }

    /// Whether nothing in it needs a backup, and no person's content can be meant.
    private func isSafe(_ entry: AuditSurvey.Entry) -> Bool {
        let isWhole = entry.recreatable == entry.backedUp
        // mutation: r12b-1
        var isSafe = isWhole
        if case .rule(let index) = entry.basis, survey.rules.rules[index].scope == .data {
            isSafe = isSafe && !entry.role.holdsUserContent
        }
        return isSafe
    }

    private func finding(_ number: UInt32, _ entry: AuditSurvey.Entry) -> AuditFinding {
        let path = inventory.path(ofDirectory: number)
        let bytes = ByteCount(entry.recreatable)
        let items = entry.recreatableItems
        let isWhole = entry.recreatable == entry.backedUp
        let caches = containers.first { path.lies(in: $0) }?.appending("Library/Caches")
        if case .rule(let index) = entry.basis, let caches {
            let what = survey.rules.rules[index].description
            if entry.role == .documents {
                return AuditFinding(
                    .recreatableInDocuments, .advice, path, bytes: bytes, items: items,
                    "\(what) can be had again, and should be in Library/Caches, not among the "
                        + "person's documents.",
                    fix: AuditFix(names.move(path, into: caches), isSafe: false))
            }
            if entry.role == .group {
                return AuditFinding(
                    .cacheAtGroupRoot, .advice, path, bytes: bytes, items: items,
                    "\(what) can be had again, and should be in Library/Caches: the root of a "
                        + "group's container is backed up.",
                    fix: AuditFix(names.move(path, into: caches), isSafe: false))
            }
        }
        let what: String
        switch entry.basis {
        case .rule(let index):
            let rule = survey.rules.rules[index]
            what = "\(rule.description) can be had again, and should not be backed up"
        case .declared, .tag, nil:
            let name = inventory.purgeClass(of: inventory.directories[Int(number)]).words
            what = "It is \(name), which can be had again, and should not be backed up"
        }
        return AuditFinding(
            .recreatableInBackup, .advice, path, bytes: bytes, items: items,
            isWhole ? "\(what)." : "\(what); other things in it should.",
            fix: AuditFix(.excludeFromBackup(path), isSafe: isSafe(entry)))
    }

    private func children(_ number: UInt32) -> [UInt32] {
        InventoryDirectory(inventory: inventory, number: number).children.map(\.number)
    }

    // MARK: - Single files

    private func files(_ small: inout Small) -> [AuditFinding] {
        var findings: [AuditFinding] = []
        var large: [AuditFinding] = []
        for number in survey.candidates
        where survey.backup(of: number, evidence[number]) == .included {
            let item = inventory.item(number)
            let entry = survey.directories[Int(item.parent)]
            let kind = survey.kind(of: number, evidence[number])
            let reason = survey.reason(number, kind, evidence[number])
            // Reported with its directory.
            if entry.basis != nil, reason == .place { continue }
            let isLarge = item.allocated >= survey.options.largeEach.bytes
            if let reason {
                if isLarge {
                    findings.append(finding(number, entry, reason))
                } else {
                    small.add(
                        item.allocated, 1, root: inventory.rootIndex(ofDirectory: item.parent),
                        isSafe(entry, reason) ? .fixable : .byHand)
                }
            } else if isLarge {
                large.append(
                    AuditFinding(
                        .largeInBackup, .note, inventory.path(ofItem: number),
                        bytes: ByteCount(item.allocated),
                        "\(kind.sentenceName) that is backed up. If it can be had again, leave it "
                            + "out.",
                        fix: AuditFix(
                            .excludeFromBackup(inventory.path(ofItem: number)), isSafe: false)))
            }
        }
        let sum = large.reduce(ByteCount.zero) { $0 + $1.bytes }
        return sum > survey.options.largeInAll ? findings + large : findings
    }

    /// Whether no person's content can be meant.
    private func isSafe(_ entry: AuditSurvey.Entry, _ reason: RecreatableReason) -> Bool {
        reason == .place || !entry.role.holdsUserContent
    }

    private func finding(
        _ number: UInt32, _ entry: AuditSurvey.Entry, _ reason: RecreatableReason
    ) -> AuditFinding {
        let path = inventory.path(ofItem: number)
        let text: String
        switch reason {
        case .place:
            text = "It is marked as something that can be had again, and is backed up."
        case .rule(let index):
            text = "\(survey.rules.rules[index].description) that can be had again is backed up."
        case .origin(let address):
            text = "It was downloaded from \(Self.host(of: address)), and is backed up."
        }
        return AuditFinding(
            .recreatableInBackup, .advice, path,
            bytes: ByteCount(inventory.item(number).allocated), text,
            fix: AuditFix(.excludeFromBackup(path), isSafe: isSafe(entry, reason)))
    }

    /// The part of an address that a person knows it by, without what may be secret in it.
    static func host(of address: String) -> String {
        var rest = address[...]
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let host = authority.split(separator: "@").last.map { String($0.prefix(80)) } ?? ""
        return host.isEmpty ? "the network" : host
    }

    // MARK: - What a person made, and is not backed up

    private func excludedDirectories() -> [AuditFinding] {
        survey.directories.indices.compactMap { number in
            let entry = survey.directories[number]
            guard entry.backup == .excluded, entry.role.holdsUserContent, entry.basis == nil,
                entry.withheld > 0
            else { return nil }
            return excluded(
                inventory.path(ofDirectory: UInt32(number)), entry.withheld,
                "What lies in it looks like something a person made, and is in no backup.")
        }
    }

    private func excludedFiles() -> [AuditFinding] {
        let read = survey.candidates.filter { number in
            let parent = survey.directories[Int(inventory.item(number).parent)]
            return parent.backup == .included && parent.role.holdsUserContent
                && survey.backup(of: number) == .included && evidence[number]?.isExcluded == true
                && survey.reason(
                    number, survey.kind(of: number, evidence[number]), evidence[number]) == nil
        }
        return (survey.excludedItems + read).map { number in
            excluded(
                inventory.path(ofItem: number), inventory.item(number).allocated,
                "It looks like something a person made, and is in no backup.")
        }
    }

    /// Whose word it is, is read later, of what is listed (``Audit/nameWords(by:)``).
    private func excluded(_ path: FilePath, _ bytes: Int64, _ text: String) -> AuditFinding {
        AuditFinding(
            .userContentExcluded, .warning, path, bytes: ByteCount(bytes), text,
            fix: AuditFix(.includeInBackup(path, saidBy: .mark), isSafe: false))
    }
}

extension PurgeClass {
    /// As in a sentence: `last resort`.
    var words: String { self == .lastResort ? "last resort" : name }
}

extension FileKind {
    /// As a sentence begins.
    var sentenceName: String {
        switch self {
        case .video: "A film"
        case .image: "A picture"
        case .audio: "A sound file"
        case .pdf: "A PDF"
        case .document: "A document"
        case .archive: "An archive"
        case .diskImage: "An image of a disk"
        case .database: "A database"
        case .code: "Source code"
        case .library: "A program"
        case .other: "A large file"
        }
    }
}
