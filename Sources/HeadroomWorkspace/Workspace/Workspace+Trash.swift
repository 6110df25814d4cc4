//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlanning
import HeadroomPlatform
public import HeadroomPurging
import SystemPackage

extension Workspace {
    /// The user's trash.
    public var trash: Trash { Trash(places: trashPlaces, clock: clock) }

    /// The trash directories as areas, and notes on those that could not be read.
    ///
    /// Trash on a read-only volume cannot be purged and is not an area.
    ///
    /// - Parameter explaining: with notes on each trash directory that is left out. Otherwise only those
    ///   that could not be read are noted.
    func trashAreas(explaining: Bool = false) -> (areas: [Area], notes: [Reason]) {
        let found = trash.places.find()
        var notes = found.notes.filter {
            explaining || $0.code == .unreadable || $0.code == .volumeSilent
        }
        let index = found.trashes.isEmpty ? nil : validation.index
        let areas = found.trashes.compactMap { trash in
            guard let advice = trash.directory.readOnlyAdvice else { return trash.directory.area }
            if explaining { notes.append(Reason(.readOnly, advice)) }
            return nil
        }.filter { (area: Area) in
            guard let place = index.flatMap({ Self.personalPlace(around: area.root, $0) }) else {
                return true
            }
            notes.append(
                Reason(
                    .layout,
                    "\(area.root.displayText) is no trash: it is \(place.name), by a mount. Nothing in it goes."
                ))
            return false
        }
        return (areas, notes)
    }

    /// A person's own directory that something is, or lies in, whatever it is called here.
    private static func personalPlace(
        around path: FilePath, _ index: GuardIndex
    ) -> GuardedPlace? {
        guard let directory = try? ResolvedDirectory(path) else { return nil }
        let findings = index.findings(for: directory)
        // mutation: s11b-5
        return (findings.same + findings.enclosing).map(\.place).first(where: \.isPersonal)
    }

    /// The scope of the trash alone.
    public func trashScope() -> Scope {
        let (areas, notes) = trashAreas(explaining: true)
        return makeScope(
            areas, areas.map(\.root),
            Dictionary(areas.map { ($0.root, Mark.none) }, uniquingKeysWith: { first, _ in first }),
            notes)
    }

    /// A plan that empties the trash, or some of it, by a person's own word: also what is younger than
    /// 24 hours.
    ///
    /// - Parameters:
    ///   - items: what goes; nil: everything.
    ///   - age: only what was thrown away so long ago.
    /// - Returns: the plan, and the scope that carries it out.
    public func planEmptyingTrash(
        _ items: [TrashItem]? = nil, olderThan age: Duration? = nil
    ) throws(HeadroomError) -> (plan: Plan, scope: Scope) {
        let scope = trashScope()
        let inventory = try scope.scan()
        var request = try scope.request(
            targets: [age.map { .olderThan($0, by: .used) } ?? .all], through: .lastResort)
        request.includesFreshTrash = true
        request.selection = items.map { ItemSelection($0.map(\.path)) }
        return (Planner.plan(inventory, request), scope)
    }

    /// Removes what is written in trash directories about items that are not there: what a crash, or
    /// another program, has left. Blocks.
    ///
    /// Notes younger than an hour stay: by the specification they come before their items.
    ///
    /// - Returns: how many.
    @discardableResult
    public func removeOrphanedTrashNotes() -> Int {
        var count = 0
        for found in trash.places.find().trashes where !found.directory.isReadOnly {
            // What cannot be read is left as it is.
            for name in (try? found.noteNames()) ?? [] {
                guard let item = TrashInfo.item(of: name),
                    let note = try? found.noteStatus(name), note.type == .regular,
                    clock().duration(since: note.changed) >= .seconds(3600),
                    found.isMissing(item)
                else { continue }
                if (try? found.removeInformation(about: item)) != nil { count += 1 }
            }
        }
        return count
    }
}
