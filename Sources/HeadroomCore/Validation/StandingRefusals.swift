//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// What no area may be, whoever has declared it (safety invariant S11): asked by the purger itself
/// when a purge begins, since the areas may have been declared long ago, or by somebody who did not
/// ask ``AreaValidation``.
///
/// Refused are the empty path and relative ones, links, `/`, homes and other essential places and
/// what contains one, all in the kernel's own, directories of another user unless we are root, and
/// roots of mounts unless the declaration allows it. What only marks permit (areas in essential
/// places) is verified by the marks, at each directory and item.
package struct StandingRefusals {
    private let index: GuardIndex
    private let user: UInt32

    /// Looks up what is guarded on this machine; blocks, for what does not answer no longer than a limit.
    ///
    /// - Parameter layouts: what is guarded.
    package init(
        guarding layouts: [Layout], user: UInt32 = User.effective, answers: AreaAnswers = .shared
    ) {
        // Without a mount table (no /proc) bind mounts are recognised by identity alone.
        index = GuardIndex(
            layouts, mounts: (try? MountTable.current()) ?? MountTable([]), answers: answers)
        self.user = user
    }

    /// - Throws: `refused`, or `invalid`, `notFound` or `notPermitted` for what cannot be opened; `io` while a
    ///   guarded place does not answer of which nobody knows what it has to do with the area.
    package func check(_ area: Area) throws(HeadroomError) {
        let directory = try AreaValidation.open(area.root)
        if directory.ancestors.isEmpty {
            throw refused(area, "it is the root of the file tree")
        }
        let status = directory.status
        if status.owner != user, user != 0, !status.isSharedSticky {
            throw refused(area, "it belongs to another user (\(status.owner))")
        }
        let findings = index.findings(for: directory)
        // A shared directory may hold somebody's home, of which nothing is a candidate.
        let inside = status.isSharedSticky ? [] : findings.inside
        let inTheWay =
            findings.same.filter { $0.place.rule != .itself }
            + inside.filter { $0.place.rule.holdsWhatContainsIt }
        // mutation: s11e-1
        for entry in inTheWay {
            throw refused(area, "it is or contains \(entry.place.name)")
        }
        for entry in findings.same.filter(\.place.rule.isFinal) + findings.final {
            throw refused(area, "it lies in \(entry.place.name)")
        }
        if let silent = status.isSharedSticky ? findings.mayHold : findings.silent {
            throw silent.error(for: directory.path)
        }
        try AreaValidation.checkMount(directory, area)
    }

    private func refused(_ area: Area, _ why: String) -> HeadroomError {
        AreaValidation.refused(area, why, "Declare another directory, and make a new plan.")
    }
}
