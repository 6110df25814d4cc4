//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

extension AreaValidation {
    /// A layout without the areas that cannot be used as the machine is now. Blocks, for one that does not
    /// answer no longer than a limit.
    ///
    /// Left out are areas whose directory is missing, without a word; and, with a note that says what
    /// to do, those that are links, cannot be opened, do not answer, are or contain a place that is essential by
    /// another layout, or belong to another user. Roots that remain have their plain path. Essential
    /// areas stay, whatever they are.
    public func usable(_ layout: Layout) -> Layout { asked(layout).usable }

    /// The same, and the areas of which nobody knows now what they are: nothing in them may go.
    package func asked(_ layout: Layout) -> (usable: Layout, unknown: [Area]) {
        var usable = layout
        usable.areas = []
        var unknown: [Area] = []
        let found = answers.ask(layout.areas, at: { $0.root }) {
            (area) throws(HeadroomError) -> Area in
            try asUsable(area, of: layout)
        }
        for (area, answer) in zip(layout.areas, found) {
            do throws(HeadroomError) {
                usable.areas.append(try answer.get())
            } catch {
                if area.purgeClass == .essential {
                    usable.areas.append(area)
                } else if error.code != .notFound {
                    usable.notes.append(error.areaNote)
                    if error.code == .io { unknown.append(area) }
                }
            }
        }
        return (usable, unknown)
    }

    private func asUsable(_ area: Area, of layout: Layout) throws(HeadroomError) -> Area {
        let directory = try Self.open(area.root)
        if area.purgeClass != .essential { try checkRole(directory, area, layout) }
        var area = area
        area.root = directory.path
        return area
    }

    private func checkRole(
        _ directory: borrowing ResolvedDirectory, _ area: Area, _ layout: Layout
    ) throws(HeadroomError) {
        if directory.ancestors.isEmpty {
            throw Self.refused(
                area, "it is the root of the file tree", "Set \(area.origin) otherwise.")
        }
        let status = directory.status
        if status.owner != userID, userID != 0, !status.isSharedSticky {
            throw Self.refused(
                area, "it belongs to another user (\(status.owner))",
                "Set \(area.origin) otherwise.")
        }
        let findings = index.findings(for: directory)
        // A shared directory may hold somebody's home, of which nothing is a candidate.
        let isShared = status.isSharedSticky
        if let silent = isShared ? findings.mayHold : findings.silent {
            throw silent.error(for: directory.path)
        }
        if area.catalogueID != nil {
            try checkCatalogue(area, findings, layout)
            return try Self.checkCatalogueMount(directory, area)
        }
        let inside = isShared ? [] : findings.inside
        // What is nested by name in its own layout is an area of that layout, and holds as the nearer.
        let foreign = inside.filter {
            $0.layoutRoot != layout.root || !$0.place.path.lies(in: area.root)
        }
        let inTheWay =
            findings.same.filter { $0.place.rule != .itself }
            + foreign.filter { $0.place.rule.holdsWhatContainsIt }
        // mutation: s11b-1
        for entry in inTheWay {
            throw Self.refused(
                area, "it is or contains \(entry.place.name)", "Set \(area.origin) otherwise.")
        }
        // Documents and the like are a person's own, by whatever name a variable leads there; configuration,
        // data and state are programs', and a cache that is configured to lie there is meant to.
        for entry in findings.enclosing
        // mutation: s11b-4
        where entry.place.isPersonal && layout.kind == .xdg || entry.place.rule == .records {
            throw Self.refused(
                area, "it lies in \(entry.place.name)", "Set \(area.origin) otherwise.")
        }
    }
}
