//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

extension AreaValidation {
    /// What is essential, once more wherever else it can be come to: areas hold by the names of directories, and a
    /// home may be a link into `/tmp`, or be mounted from there. Blocks, for what does not answer no longer than a
    /// limit.
    ///
    /// What is declared essential and is no directory protects the directory that it lies in: no area is a single
    /// file, and whoever has declared one wants it to stay.
    ///
    /// - Parameter areas: all of them, those that may be purged by their plain paths.
    /// - Returns: further essential areas, with a note for each that protects more than was declared.
    func elsewhere(_ areas: [Area]) -> (areas: [Area], notes: [Reason]) {
        let map = AreaMap(areas)
        let purgeable = map.areas.filter { $0.purgeClass != .essential }.compactMap { area in
            mounts.location(of: area.root, mountID: 0).map { (root: area.root, location: $0) }
        }
        let essential = areas.filter { $0.purgeClass == .essential }
        let known = index.answers
        let asked = essential.map(\.root).filter { known[$0] == nil }
        let answers = known.merging(self.answers.places(at: asked, mounts)) { first, _ in first }
        var further: [Area] = []
        var notes: [Reason] = []
        for area in essential {
            var area = area
            let declared = area.root
            if let around = directory(around: declared, map) {
                notes.append(
                    Reason(
                        .layout,
                        "\(declared.displayText) is declared as essential (\(area.origin)) and is no "
                            + "directory: nothing in \(around.displayText) goes. To keep it alone, pin it "
                            + "instead: headroom mark --pin \(declared.displayText)"))
                area.root = around
                further.append(area)
            }
            guard let place = answers[declared]?.place else { continue }
            var roots = [place.path]
            for outer in purgeable {
                guard let inner = place.location, outer.location.contains(inner) else { continue }
                var rest = inner.path
                guard rest.removePrefix(outer.location.path) else { continue }
                roots.append(outer.root.pushing(rest))
            }
            for root in Set(roots) where root != declared {
                area.root = root
                further.append(area)
            }
        }
        return (further, notes)
    }

    /// The directory that something lies in which is none, be it a link to one; nil if there is nothing, or
    /// nothing around it may go.
    private func directory(around path: FilePath, _ map: AreaMap) -> FilePath? {
        guard path.depth > 0, let status = try? PathCalls.entryStatus(path),
            status.type != .directory,
            let parent = try? ResolvedDirectory(path.removingLastComponent()).path,
            let area = map.area(for: parent), area.purgeClass != .essential
        else { return nil }
        return parent
    }
}
