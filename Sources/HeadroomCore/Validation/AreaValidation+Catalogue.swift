//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

extension AreaValidation {
    /// What else is asked of a well-known cache, which nobody has declared: a variable that leads
    /// somewhere else than to a cache must not make that one (safety invariant S11).
    func checkCatalogue(
        _ area: Area, _ findings: GuardIndex.Findings, _ layout: Layout
    ) throws(HeadroomError) {
        // Not even what has a role that could be purged: /var/tmp is everybody's.
        let foreign = findings.same + findings.inside
        if let entry = foreign.first {
            throw Self.notCatalogued(area, "it is or contains \(entry.place.name)")
        }
        if let entry = findings.final.first {
            throw Self.notCatalogued(area, "it lies in \(entry.place.name)")
        }
        guard layout.kind == .catalogue else { return }
        let essential = findings.around.filter { $0.place.rule == .essential }
        for entry in essential where !isInHome(entry, essential) {
            throw Self.notCatalogued(area, "it lies in \(entry.place.name)")
        }
    }

    /// Whether an essential place is the user's home or where programs keep what is theirs; a person's
    /// own directories are not.
    private func isInHome(_ entry: GuardIndex.Entry, _ entries: [GuardIndex.Entry]) -> Bool {
        entries.contains { other in
            other.identity == entry.identity && homes.contains(other.layoutRoot)
                && !other.place.isPersonal
        }
    }

    /// A cache that is the root of a mount, as containers have it for one that they share, is kept: nothing says
    /// that the volume holds that cache alone.
    static func checkCatalogueMount(
        _ directory: borrowing ResolvedDirectory, _ area: Area
    ) throws(HeadroomError) {
        do throws(HeadroomError) {
            try checkMount(directory, area)
        } catch {
            throw HeadroomError(
                .refused,
                "\(area.root.displayText) (\(area.origin)) is kept: a volume is mounted there. If the volume "
                    + "holds nothing else, name a directory on it: headroom purge DIRECTORY --as cache."
            )
        }
    }

    private static func notCatalogued(_ area: Area, _ why: String) -> HeadroomError {
        HeadroomError(
            .refused,
            "\(area.root.displayText) is left out, though the catalogue has it as \(area.origin): "
                + "\(why). If a variable leads there, set it to a directory of its own.")
    }
}
