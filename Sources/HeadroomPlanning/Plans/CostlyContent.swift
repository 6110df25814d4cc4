//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform

// Weights of models, images of disks and containers, databases and environments: a user may have trained, built, filled or
// placed them, and downloads of them take hours. Their directory is purged as a last resort, unless a person says otherwise
// of it.
extension Inventory {
    /// Whether the content of a directory is purged as a last resort because of files in it.
    ///
    /// In the root of an area, unrelated files lie side by side: there, each file counts by itself.
    func isCostly(_ record: DirectoryRecord, _ number: UInt32) -> Bool {
        isUndeclared(record, with: .costly) && !record.flags.contains(.areaRoot)
            || costlyStructure(record, number) != nil
    }

    /// The kind of a structure that no known program created as a cache: the data of a database server, or an environment
    /// with packages that a user installed. In a temporary directory, environments are those of builds and tests.
    private func costlyStructure(_ record: DirectoryRecord, _ number: UInt32) -> Structure.Kind? {
        guard let kind = structures[number]?.kind,
            kind == .database || kind == .virtualEnvironment, let area = area(of: record),
            area.catalogueID == nil, area.isWellKnown, !area.isTrash,
            kind == .database || area.purgeClass == .cache, record.mark.mark.purgeClass == nil
        else { return nil }
        return kind
    }

    /// Whether some files of a directory, the root of an area, have to be judged by their own names.
    func hasLooseFiles(_ record: DirectoryRecord) -> Bool {
        record.flags.contains(.areaRoot)
            && isUndeclared(record, with: .costly.union(.keptByFile)) || mayHoldWork(record)
    }

    /// Whether a file that no unit contains is purged as a last resort because of its name.
    ///
    /// - Parameter work: the ``workStems(in:)`` of its directory.
    func isCostly(looseFile id: UInt32, _ item: ItemRecord, work: Set<[UInt8]>) -> Bool {
        let flags = DirectoryRecord.Flags(file: name(ofItem: id), item)
        return !flags.isDisjoint(with: .costly)
            || !work.isEmpty && work.contains(stem(ofItem: id))
    }

    /// Why a file is kept that lies by itself where a directory with such a file would be kept.
    func reasonToKeep(looseFile id: UInt32, _ item: ItemRecord) -> Reason? {
        let flags = DirectoryRecord.Flags(file: name(ofItem: id), item)
        let kind: Structure.Kind =
            flags.contains(.hasStateFile) ? .infrastructureState : .browserProfile
        guard !flags.isDisjoint(with: .keptByFile), let doubt = kind.doubt else { return nil }
        return Reason(
            .structure,
            "Its name is that of a file in \(kind.spokenName), and Headroom can't tell whether \(doubt)."
        )
    }

    private func isUndeclared(
        _ record: DirectoryRecord, with flags: DirectoryRecord.Flags
    ) -> Bool {
        guard !record.flags.isDisjoint(with: flags), let area = area(of: record) else {
            return false
        }
        return area.isWellKnown && !area.isTrash && record.mark.mark.purgeClass == nil
    }

    // MARK: - Explaining

    /// Why everything in a unit, or in a plain directory, is purged as a last resort; nil if no file in it says so.
    ///
    /// - Complexity: O(directories of the unit, and files up to the first that says so).
    func costlyReason(ofUnit unit: UInt32) -> Reason? {
        var reason: Reason?
        var installed = InstalledDirectories()
        forEachDirectory(below: unit) { number in
            let isInstalled = installed.add(number, in: self)
            if reason == nil { reason = costlyReason(inDirectory: number) }
            if reason == nil, !isInstalled { reason = workReason(inDirectory: number) }
        }
        return reason
    }

    private func workReason(inDirectory number: UInt32) -> Reason? {
        guard mayHoldWork(directories[Int(number)]) else { return nil }
        var reason: Reason?
        forEachRecord(of: number) { id, item in
            if reason == nil { reason = workReason(ofFile: id, item) }
        }
        return reason
    }

    private func workReason(ofFile id: UInt32, _ item: ItemRecord) -> Reason? {
        guard isWork(id, item) else { return nil }
        let name = name(ofItem: id)
        return FoundWork.kind(of: name, item).map { kind in
            Reason(.structure, "\(name.owned.text) is \(kind), which may exist nowhere else")
        }
    }

    func costlyReason(inDirectory number: UInt32) -> Reason? {
        let record = directories[Int(number)]
        guard isCostly(record, number) else { return nil }
        var reason: Reason?
        forEachRecord(of: number) { id, item in
            if reason == nil { reason = costlyReason(ofFile: id, item) }
        }
        if reason == nil, let kind = costlyStructure(record, number) {
            reason = Reason(
                .structure,
                "\(path(ofDirectory: number).displayText) is \(kind.spokenName), which may exist nowhere else"
            )
        }
        return reason
    }

    private func costlyReason(ofFile id: UInt32, _ item: ItemRecord) -> Reason? {
        let flags = DirectoryRecord.Flags(file: name(ofItem: id), item)
        let name = name(ofItem: id).owned.text
        if flags.contains(.hasWeights) {
            return Reason(
                .structure,
                "\(name) holds the weights of a model, which may exist nowhere else or take hours to download"
            )
        }
        guard flags.contains(.hasDiskImage) else { return nil }
        return Reason(
            .structure,
            "\(name) is an image of a disk or a container, which may exist nowhere else or take hours to build"
        )
    }

    /// Why an item that no unit contains is purged as a last resort; nil if it isn't because of a file's name.
    func costlyReason(ofItem id: UInt32, _ item: ItemRecord) -> Reason? {
        let record = directories[Int(item.parent)]
        guard hasLooseFiles(record) else { return costlyReason(inDirectory: item.parent) }
        if let reason = costlyReason(ofFile: id, item) { return reason }
        guard mayHoldWork(record) else { return nil }
        if let reason = workReason(ofFile: id, item) { return reason }
        guard workStems(in: item.parent).contains(stem(ofItem: id)) else { return nil }
        return Reason(
            .structure, "A file beside it has the same name and may exist nowhere else")
    }
}

extension Area {
    /// Whether the class follows from the location: no person has declared that this content is a cache.
    var isWellKnown: Bool { catalogueID != nil || unit == .directory }
}

extension CandidateBuilder.Terms {
    /// Defers the content to the last resort. The idle time doesn't get shorter by that.
    mutating func deferToLastResort() {
        if !isTrash { rank = .lastResort }
    }
}

extension CandidateBuilder {
    /// The terms of a file in the root of an area.
    func looseTerms(_ terms: Terms, of id: UInt32, _ item: ItemRecord) -> Terms {
        guard inventory.isCostly(looseFile: id, item, work: workStems) else { return terms }
        var terms = terms
        terms.deferToLastResort()
        return terms
    }
}
