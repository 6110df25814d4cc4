//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

extension AreaValidation {
    /// What is essential, once more wherever else it can be come to: areas hold by the names of directories, and a
    /// home may be a link into `/tmp`, or be mounted from there, or what lies in it. Blocks, for what does not answer
    /// no longer than a limit.
    ///
    /// What is declared essential and is no directory protects the directory that it lies in: no area is a single
    /// file, and whoever has declared one wants it to stay. Of a link that is also the directory of what it leads to.
    ///
    /// - Parameter areas: all of them, those that may be purged by their plain paths.
    /// - Returns: further essential areas, with a note for each that protects more than was declared.
    package func elsewhere(_ areas: [Area]) -> (areas: [Area], notes: [Reason]) {
        let map = AreaMap(areas)
        let purgeable = map.areas.filter { $0.purgeClass != .essential }.compactMap { area in
            mounts.location(of: area.root, mountID: 0).map { (root: area.root, location: $0) }
        }
        /// The ways to a place that lead through what may be purged.
        func ways(to place: MountTable.Location?) -> [FilePath] {
            purgeable.compactMap { outer in
                guard let place, outer.location.contains(place) else { return nil }
                // mutation: s11h-2
                return place.path.moved(from: outer.location.path, to: outer.root)
            }
        }
        var further: [Area] = []
        var notes: [Reason] = []
        func add(_ area: Area, at root: FilePath) {
            guard root != area.root else { return }
            var area = area
            area.root = root
            further.append(area)
        }
        let essential = areas.filter { $0.purgeClass == .essential }
        let known = index.answers
        let asked = essential.map(\.root).filter { known[$0] == nil }
        let answers = known.merging(self.answers.places(at: asked, mounts)) { first, _ in first }
        for area in essential {
            for around in directories(around: area.root, map) {
                notes.append(
                    Reason(
                        .layout,
                        "\(area.root.displayText) is declared as essential (\(area.origin)) and is no "
                            + "directory: nothing in \(around.displayText) goes. To keep it alone, pin it "
                            + "instead: headroom mark --pin \(area.root.shellText)"))
                // mutation: s11i-3
                add(area, at: around)
            }
            guard let place = answers[area.root]?.place else { continue }
            // mutation: s11h-1
            for root in Set([place.path] + ways(to: place.location)) { add(area, at: root) }
        }
        further += mounted(AreaMap(areas + further), purgeable, ways) + layers(map, ways)
        return (further, notes)
    }

    /// What is mounted in an essential place is as essential as what lies there, and in a pinned one as what is pinned:
    /// also all of an area that is seen in there as a part of what is mounted.
    private func mounted(
        _ map: AreaMap, _ purgeable: [(root: FilePath, location: MountTable.Location)],
        _ ways: (MountTable.Location?) -> [FilePath]
    ) -> [Area] {
        var further: [Area] = []
        /// What is seen at a path, and where it would go.
        var seen: [(path: FilePath, root: FilePath, isWhole: Bool)] = []
        for mount in mounts.mounts {
            let location = mounts.location(of: mount.point, mountID: mount.id)
            let roots = ways(location).filter { $0 != mount.point }
            // mutation: s11h-3
            if !roots.isEmpty, var area = map.area(for: mount.point), area.purgeClass == .essential
            {
                for root in roots {
                    area.root = root
                    further.append(area)
                }
            } else {
                seen += roots.map { (mount.point, $0, true) }
            }
            for area in purgeable where !area.root.lies(in: mount.point) {
                guard let location, location.contains(area.location),
                    let path = area.location.path.moved(from: location.path, to: mount.point),
                    !roots.contains(area.root)
                else { continue }
                // mutation: s11h-5
                seen.append((path, area.root, false))
            }
        }
        let answers = answers.ask(seen.map(\.path), at: { $0 }) {
            (path) throws(HeadroomError) -> Bool in
            try marks.effectiveMark(of: path).isPinned == true
        }
        for (place, answer) in zip(seen, answers) {
            // A part of a volume may be hidden there, or be nothing for this user to look at.
            // mutation: s11h-4
            guard (try? answer.get()) ?? place.isWhole else { continue }
            further.append(
                Area(
                    root: place.root, purgeClass: .essential,
                    origin: "seen at \(place.path.displayText), which is pinned"))
        }
        return further
    }

    /// What an overlay is made of is seen where it is mounted: without it nobody knows what is in there.
    private func layers(_ map: AreaMap, _ ways: (MountTable.Location?) -> [FilePath]) -> [Area] {
        var origins: [FilePath: String] = [:]
        for mount in mounts.mounts {
            // mutation: s11h-6
            for layer in mount.layers where layer.isAbsolute {
                origins[layer] = "a layer of what is mounted at \(mount.point.displayText)"
            }
        }
        if origins.isEmpty { return [] }
        var further: [Area] = []
        for (layer, answer) in answers.places(at: Array(origins.keys), mounts) {
            let roots = Set([answer.place?.path ?? layer] + ways(answer.place?.location))
            for root in roots where map.area(for: root).map({ $0.purgeClass != .essential }) == true
            {
                further.append(
                    Area(root: root, purgeClass: .essential, origin: origins[layer] ?? ""))
            }
        }
        return further
    }

    /// The directories in which something lies that is none: its own, and where it is a link those that it leads
    /// through. None where there is nothing, or nothing around it may go.
    private func directories(around path: FilePath, _ map: AreaMap) -> [FilePath] {
        var found: [FilePath] = []
        var current = path
        // As many links as the kernel follows (path_resolution(7)).
        for _ in 0..<40 {
            guard current.depth > 0, let status = try? PathCalls.entryStatus(current),
                status.type != .directory,
                let parent = try? ResolvedDirectory(current.removingLastComponent()).path
            else { break }
            if let area = map.area(for: parent), area.purgeClass != .essential {
                found.append(parent)
            }
            guard status.type == .symbolicLink, let target = current.linkTarget else { break }
            // mutation: s11i-4
            current = parent.pushing(target)
        }
        return found
    }
}
