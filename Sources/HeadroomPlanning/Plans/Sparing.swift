//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
package import SystemPackage

/// What a plan leaves out of what may go, whatever its targets are.
public struct Sparing: Hashable, Sendable {
    /// Names that begin with a dot, and what is in such directories.
    public var hidden: Bool
    /// So many of the youngest items: those that would go last.
    public var newest: Int
    /// Files and directories that a purge has just skipped: planned again, they would be skipped again.
    package var skipped: Set<FilePath> = []

    public static let nothing = Sparing()

    public init(hidden: Bool = false, newest: Int = 0) {
        self.hidden = hidden
        self.newest = max(0, newest)
    }
}

extension Sparing {
    /// Takes what is spared out of the candidates.
    func apply(to list: inout CandidateList, in inventory: Inventory) {
        if !skipped.isEmpty { spareSkipped(&list, inventory) }
        if hidden { spareHidden(&list, inventory) }
        if newest > 0 { spareNewest(&list, inventory) }
    }

    private func spareSkipped(_ list: inout CandidateList, _ inventory: Inventory) {
        var items: Set<UInt32> = []
        var directories: Set<UInt32> = []
        for path in skipped {
            if let item = inventory.item(at: path) { items.insert(item.number) }
            if let directory = inventory.directory(at: path) {
                directories.insert(directory.number)
            }
        }
        list.remove(as: .notSelected) { candidate in
            (candidate.isItem ? items : directories).contains(candidate.number)
        }
    }

    private func spareHidden(_ list: inout CandidateList, _ inventory: Inventory) {
        var isHidden = [Bool](repeating: false, count: inventory.directories.count)
        // Parents have smaller numbers than their children; the roots were named.
        for (number, record) in inventory.directories.enumerated()
        where record.parent != DirectoryRecord.none {
            isHidden[number] = isHidden[Int(record.parent)] || record.entryName.isHidden
        }
        list.remove(as: .hidden) { candidate in
            switch candidate.kind {
            case .file, .fileSet:
                isHidden[Int(inventory.item(candidate.number).parent)]
                    || inventory.name(ofItem: candidate.number).isHidden
            case .directory, .emptyDirectory, .cacheValues: isHidden[Int(candidate.number)]
            }
        }
    }

    private func spareNewest(_ list: inout CandidateList, _ inventory: Inventory) {
        // A file with several links counts once, and stays with all of them.
        func key(_ candidate: Candidate) -> FileIdentity? {
            candidate.flags.contains(.linkGroup)
                ? inventory.identity(ofItem: candidate.number) : nil
        }
        let young = list.candidates.sorted { one, other in
            (OrderKey.time(of: one.key), one.number)
                > (OrderKey.time(of: other.key), other.number)
        }
        var spared: Set<UInt64> = []
        var groups: Set<FileIdentity> = []
        for candidate in young {
            if let group = key(candidate), groups.contains(group) { continue }
            guard spared.count + groups.count < newest else { break }
            if let group = key(candidate) {
                groups.insert(group)
            } else {
                spared.insert(Self.number(candidate))
            }
        }
        list.remove(as: .newest) { candidate in
            key(candidate).map { groups.contains($0) } ?? spared.contains(Self.number(candidate))
        }
    }

    /// Items and directories are numbered apart.
    private static func number(_ candidate: Candidate) -> UInt64 {
        UInt64(candidate.number) << 1 | (candidate.isItem ? 0 : 1)
    }
}

extension EntryName {
    fileprivate var isHidden: Bool { unsafe bytes.first == UInt8(ascii: ".") }
}
