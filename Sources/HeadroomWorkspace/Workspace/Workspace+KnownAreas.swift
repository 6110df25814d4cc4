//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlatform
public import SystemPackage

extension Workspace {
    /// The declared areas that can be used as the machine is now.
    struct KnownAreas {
        var map: AreaMap
        /// The mark that an area inherits from the directories around it, by its root.
        var inherited: [FilePath: Mark]
        /// Why an area was left out.
        var notes: [Reason]
    }

    var validation: AreaValidation {
        AreaValidation(
            layouts: layouts, marks: marks, userID: user, system: .system(), answers: answers)
    }

    func knownAreas() -> KnownAreas {
        var areas = layouts.flatMap(\.areas).filter { $0.purgeClass == .essential }
        var notes: [Reason] = []
        // They are among the notices already.
        let layoutNotes = Set(layouts.flatMap(\.notes))
        var inherited: [FilePath: Mark] = [:]
        let validation = validation
        var refused: [Area] = []
        // For these, the known registrations are not the latest ones.
        let lost = lostAreas()
        let lostRoots = Set(lost.map(\.root))
        let registrations = self.registrations.filter { !lostRoots.contains($0.root) }
        for (layout, unknown) in layouts.map(validation.asked) {
            refused += unknown
            for area in layout.areas where area.purgeClass != .essential {
                if area.catalogueID != nil {
                    // A registration there takes precedence, and all marks around it hold.
                    let root = area.root
                    if !registrations.contains(where: { root.lies(in: $0.root) }),
                        !root.lies(in: lostRoots)
                    {
                        areas.append(area)
                    }
                    continue
                }
                areas.append(area)
                // Its own contract: of the marks around it, only protection holds.
                inherited[area.root] = Mark.none
            }
            notes += layout.notes.filter { !layoutNotes.contains($0) }
        }
        if includesTrash {
            let trash = trashAreas()
            notes += trash.notes
            for area in trash.areas {
                areas.append(area)
                inherited[area.root] = Mark.none
            }
        }
        let purgeable = registrations.filter { $0.purgeClass != .essential }
        let found = validation.validate(each: purgeable, declaredBy: .registration)
        for (area, answer) in zip(purgeable, found) {
            do throws(HeadroomError) {
                let valid = try answer.get()
                areas.append(valid.area)
                inherited[valid.area.root] = valid.mark
            } catch {
                guard error.code != .notFound else { continue }
                notes.append(error.areaNote)
                refused.append(area)
            }
        }
        areas += ownersAreas(in: areas)
        areas += Self.protecting(refused, from: areas)
        // Those of other owners, too: another path may lead from here to the files that they protect.
        areas += (ledger.registered.map(\.area) + declared).filter { $0.purgeClass == .essential }
            .map(\.declaredEssential)
        // mutation: s1e-2
        areas += Layout.records(in: ledger.directory).areas
        // mutation: r9f-1
        areas += lost
        notes += lost.filter { isMeant($0.root) }.map(Self.note(onLost:))
        let elsewhere = validation.elsewhere(areas)
        areas += elsewhere.areas
        notes += elsewhere.notes
        let map = AreaMap(areas)
        for conflict in map.conflicts {
            notes.append(
                Reason(
                    .layout,
                    "\(conflict.kept.root.displayText) is declared twice; the more protective "
                        + "declaration holds: \(conflict.kept.purgeClass.name), "
                        + "\(conflict.kept.origin)."))
        }
        return KnownAreas(map: keepingFiles(map), inherited: inherited, notes: notes)
    }

    /// A refused area is not purged as a part of the area around it: its declaration asked for a
    /// different treatment.
    private static func protecting(_ refused: [Area], from others: [Area]) -> [Area] {
        refused.filter { area in
            others.contains { other in
                other.purgeClass != .essential && area.root.lies(in: other.root)
                    && (area.root != other.root || area.purgeClass > other.purgeClass)
            }
        }.map { area in
            var area = area
            area.purgeClass = .essential
            return area.declaredEssential
        }
    }

    /// Why areas that a configuration declares are left out, as the machine is now (safety invariant S11);
    /// those that are used are not among them. Blocks, for one that does not answer
    /// no longer than a limit.
    public func refusals(of areas: [Area]) -> [FilePath: HeadroomError] {
        var refusals: [FilePath: HeadroomError] = [:]
        let found = validation.validate(each: areas, declaredBy: .registration)
        for (area, answer) in zip(areas, found) {
            if case .failure(let error) = answer { refusals[area.root] = error }
        }
        return refusals
    }

    /// The registrations that this work is about.
    public var registered: [Registration] {
        ledger.registered.filter { isMeant($0.area.root) }
    }

    /// Whether this work includes the area with a root.
    func isMeant(_ root: FilePath) -> Bool {
        limits.map { limits in limits.contains { root.lies(in: $0) } } ?? true
    }

    var registrations: [Area] {
        registered.map(\.area) + declared
    }
}
