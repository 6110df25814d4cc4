//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomInventory
public import HeadroomPlatform
public import SystemPackage

/// What is backed up and how large it is, the largest files, and what is amiss.
///
/// A value: made from an inventory and what was read of a few files by a pure function
/// (`init(survey:evidence:lostMarks:)`).
public struct Audit: Sendable {
    /// The places that were looked at.
    public var places: [Place]
    public var backup: Backup
    /// The largest files of each kind, the largest first.
    public var largest: [LargeFile]
    /// The gravest first, and of these the largest.
    public var findings: [AuditFinding]
    /// How many more there are of a code than are listed.
    public var unlisted: [AuditFinding.Code: Int] = [:]
    public var scanned: Timestamp
    /// Directories and files that could not be read, while scanning or afterwards.
    public var unreadableCount: Int
    public var failures: [Inventory.Failure]
    /// False if it was stopped.
    public var isComplete: Bool
    /// What is known of each path that was scanned.
    public var survey: AuditSurvey

    /// A directory that was looked at.
    public struct Place: Hashable, Sendable {
        public var path: FilePath
        /// The layout that it is the root of; nil if it is none.
        public var layout: Layout.Kind?
        public var allocated: ByteCount
        /// What of it is backed up.
        public var backedUp: ByteCount
    }

    /// What a backup of the places holds.
    public struct Backup: Hashable, Sendable {
        public var total = InventorySum()
        /// By content where that was read, else by name.
        public var byKind: [FileKind: InventorySum] = [:]
        /// What is not in it, and why.
        public var leftOut: [AuditBackup: InventorySum] = [:]
        /// What of it could be made or fetched again.
        public var recreatable = ByteCount.zero
    }

    /// One of the largest files.
    public struct LargeFile: Hashable, Sendable {
        public var path: FilePath
        public var kind: FileKind
        /// What its content says it is; nil if it was not read, or says nothing.
        public var mediaType: String?
        public var allocated: ByteCount
        public var logical: ByteCount
        public var lastUse: Timestamp
        public var backup: AuditBackup
        public var isRecreatable: Bool
        /// Where it was downloaded from.
        public var origin: String?
        /// Its protection; nil if it was not read, or is not protected.
        public var protection: Protection?
    }
}

extension Audit {
    /// Judges what was found. Reads nothing.
    ///
    /// - Complexity: O(directories), and O(files that were read).
    init(survey: AuditSurvey, evidence: [UInt32: FileEvidence], lostMarks: [AuditFinding]) {
        var survey = survey
        survey.add(evidence)
        let inventory = survey.inventory
        self.survey = survey
        scanned = inventory.scanned
        isComplete = inventory.isComplete
        failures = inventory.failures
        unreadableCount =
            inventory.failureCount + evidence.values.reduce(0) { $0 + ($1.isUnreadable ? 1 : 0) }
        places = inventory.rootDirectories.map { root in
            Place(
                path: root.path,
                layout: survey.layouts.first { $0.root == root.path }?.kind,
                allocated: ByteCount(root.totals.allocated),
                backedUp: ByteCount(survey.directories[Int(root.number)].backedUp))
        }
        backup = Backup()
        backup.byKind = survey.backedUp
        backup.leftOut = survey.leftOut
        for sum in survey.backedUp.values { backup.total += sum }
        backup.recreatable = inventory.rootDirectories.reduce(.zero) {
            $0 + ByteCount(survey.directories[Int($1.number)].recreatable)
        }
        largest = survey.largestFiles(evidence)
        var found = lostMarks
        let names = ProposedNames(inventory)
        found += BackupFindings(survey: survey, evidence: evidence, names: names).all()
        for layout in survey.layouts { found += ConventionFindings(survey, layout, names).all() }
        (findings, unlisted) = Self.sorted(found)
    }

    private static func sorted(
        _ found: [AuditFinding]
    ) -> ([AuditFinding], [AuditFinding.Code: Int]) {
        var counts: [AuditFinding.Code: Int] = [:]
        let sorted = found.sorted { left, right in
            if left.severity != right.severity { return left.severity > right.severity }
            if left.bytes != right.bytes { return left.bytes > right.bytes }
            return left.path.bytes.lexicographicallyPrecedes(right.path.bytes)
        }
        let listed = sorted.filter { finding in
            counts[finding.code, default: 0] += 1
            return counts[finding.code, default: 0] <= AuditOptions.findingLimit
        }
        return (
            listed,
            counts.compactMapValues { count in
                count > AuditOptions.findingLimit ? count - AuditOptions.findingLimit : nil
            }
        )
    }
}

extension AuditSurvey {
    /// The files of which the most was found out, by kind, the largest of each.
    func largestFiles(_ evidence: [UInt32: FileEvidence]) -> [Audit.LargeFile] {
        var byKind: [FileKind: [UInt32]] = [:]
        for number in candidates
        where !directories[Int(inventory.item(number).parent)].isInStore {
            byKind[kind(of: number, evidence[number]), default: []].append(number)
        }
        var files: [Audit.LargeFile] = []
        for (kind, numbers) in byKind {
            var sized: [(allocated: Int64, number: UInt32)] = []
            for number in numbers { sized.append((inventory.item(number).allocated, number)) }
            // Statements of their own: as one expression it takes the type checker two seconds.
            sized.sort { left, right in
                if left.allocated != right.allocated { return left.allocated > right.allocated }
                return left.number < right.number
            }
            for (_, number) in sized.prefix(options.largestPerKind) {
                files.append(largeFile(number, kind, evidence[number]))
            }
        }
        return files.sorted {
            $0.allocated > $1.allocated
                || ($0.allocated == $1.allocated
                    && $0.path.bytes.lexicographicallyPrecedes($1.path.bytes))
        }
    }

    /// The kind by content where it was read, else by name.
    func kind(of number: UInt32, _ evidence: FileEvidence?) -> FileKind {
        // mutation: r13b-1
        FileKind(content: evidence?.content, name: inventory.name(ofItem: number).owned)
    }

    private func largeFile(
        _ number: UInt32, _ kind: FileKind, _ evidence: FileEvidence?
    ) -> Audit.LargeFile {
        let item = InventoryItem(inventory: inventory, number: number)
        return Audit.LargeFile(
            path: item.path, kind: kind, mediaType: evidence?.content?.mediaType,
            allocated: item.allocated, logical: item.logical, lastUse: item.lastUse,
            backup: backup(of: number, evidence),
            isRecreatable: reason(number, kind, evidence) != nil, origin: evidence?.origin,
            protection: evidence?.protection)
    }
}
