//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
import HeadroomPlatform

extension Inventory {
    /// The area of a directory; nil outside of all.
    package func area(of record: DirectoryRecord) -> Area? {
        record.area == DirectoryRecord.noArea ? nil : areas[Int(record.area)]
    }

    /// What a name says if it ends like a sidecar's: the database's name, and which sidecar.
    func sidecar(_ id: UInt32) -> (main: [UInt8], kind: Sidecar)? {
        let name = name(ofItem: id)
        guard let sidecar = Sidecar(name) else { return nil }
        return (Array(name.owned.bytes.dropLast(sidecar.suffix.utf8Count)), sidecar)
    }

    /// What holds for a set as a whole: the latest class and the highest importance of its members, and
    /// pinned if one of them is.
    ///
    /// A sidecar without a mark of its own is what its database is, if their contents say that they are a
    /// database. If they do not, it is what it would be without that neighbour: a mark on one file never
    /// lets another one go, and what is called `trip-journal` may be a journal of a trip (S1).
    ///
    /// - Parameters:
    ///   - members: the main item, then the others.
    ///   - isDatabase: whether their contents say so; nil: as far as is known, see ``databases``.
    package func mark(ofSet members: [UInt32], in area: Area, isDatabase: Bool? = nil) -> Mark {
        guard let main = members.first else { return .none }
        let outer = mark(ofItem: main)
        // mutation: s1d-1
        let isDatabase = isDatabase ?? databases.contains(main)
        var joint = outer
        for id in members.dropFirst() {
            let own = isDatabase ? (itemMarks[id] ?? .none).inheriting(outer) : mark(ofItem: id)
            joint.joinLater(own, in: area)
        }
        return joint
    }
}

extension Mark {
    /// Takes in the mark of something that goes together with this one: the later class, the higher
    /// importance, and pinned if one is.
    ///
    /// - Parameters:
    ///   - other: with all that it inherits.
    ///   - area: what holds where a mark says nothing.
    package mutating func joinLater(_ other: Mark, in area: Area) {
        let later = other.purgeClass?.purgeClass ?? area.purgeClass
        // No mark says essential: the area does.
        if later > purgeClass?.purgeClass ?? area.purgeClass { purgeClass = other.purgeClass }
        let higher = other.importance ?? area.importance
        if higher > importance ?? area.importance { importance = higher }
        if other.isPinned == true { isPinned = true }
    }
}
