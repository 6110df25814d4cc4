//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCatalog
public import HeadroomCore
import HeadroomPlatform
public import SystemPackage

extension Workspace {
    /// The well-known caches that are there, with their plain paths, in the order of the catalogue.
    ///
    /// Those of the machine are among them for root in its own home; else they come when they are
    /// named. Left out are those that may not be areas, as ``scope()`` says why; what only its tool may
    /// empty is here, and in no scope. Blocks: opens each directory.
    public func wellKnownCaches() -> [CatalogueCache] {
        var usable: Set<FilePath> = []
        for area in scope().areas where area.catalogueID != nil { usable.insert(area.root) }
        return caches.compactMap { cache in
            guard includesSystem || cache.entry.scope == .user,
                let directory = try? ResolvedDirectory(cache.root, followingLast: false)
            else { return nil }
            guard !cache.entry.isPurgeable || usable.contains(directory.path) else { return nil }
            var plain = cache
            plain.root = directory.path
            return plain
        }
    }

    /// The well-known cache that a path is or lies in; the innermost if there are several.
    ///
    /// - Parameter path: absolute, without links.
    public func wellKnownCache(at path: FilePath) -> CatalogueCache? {
        caches.filter { path.lies(in: $0.root) }
            .max { $0.root.depth < $1.root.depth }
    }

    /// The entry of the catalogue that an area is from.
    public func catalogueEntry(of area: Area) -> CatalogueEntry? {
        area.catalogueID.flatMap(catalogue.entry)
    }

    /// The areas as backups see them: a cache that only its tool may empty is a cache all the same. Protected
    /// content of a cache is not one.
    var backupAreas: [Area] {
        var emptiedByTools: [FilePath: CatalogueCache] = [:]
        for cache in wellKnownCaches() where cache.entry.cleaning == .command {
            emptiedByTools[cache.root] = cache
        }
        return scope().areas.map { area in
            guard let cache = emptiedByTools[area.root], cache.entry.id == area.catalogueID else {
                return area
            }
            var area = area
            area.purgeClass = cache.entry.purgeClass
            return area
        }
    }

    /// The given well-known caches as directories to scan and purge, under the marks and registrations that apply to
    /// them. Blocks.
    public func scope(of caches: [CatalogueCache]) -> Scope {
        let system = caches.filter { $0.entry.scope == .system }
        let workspace =
            includesSystem || system.isEmpty
            ? self : adding([Layout.catalogue(self.caches, .system)])
        let known = workspace.knownAreas()
        return workspace.makeScope(
            known.map.areas, outermost(caches.map(\.root)), known.inherited, known.notes)
    }

    /// Returns the same areas, with the files that the catalog protects in those that may be purged. Blocks,
    /// but no longer than a limit for a directory that does not answer.
    func keepingFiles(_ map: AreaMap) -> AreaMap {
        guard !protectedFiles.isEmpty else { return map }
        let found = answers.ask(protectedFiles, at: { $0.removingLastComponent() }) {
            (file) throws(HeadroomError) -> FilePath? in
            // A directory that cannot be opened cannot be purged either.
            guard let name = file.names.last,
                let directory = try? ResolvedDirectory(file.removingLastComponent()).path
            else { return nil }
            return directory.appending(name)
        }
        var areas = map.areas
        for case .success(let file?) in found {
            guard let index = map.areaIndex(for: file), areas[index].purgeClass != .essential
            else { continue }
            areas[index].protectedFiles.append(file)
        }
        return AreaMap(areas)
    }

    /// The layout of the machine's caches, if one of them is at, around or in a path that is named.
    func systemCaches(named path: FilePath) -> [Layout] {
        guard !includesSystem else { return [] }
        let directory = (try? ResolvedDirectory(path).path) ?? path
        let named = caches.filter { cache in
            cache.entry.scope == .system
                && (cache.root.lies(in: directory) || directory.lies(in: cache.root))
        }
        return named.isEmpty ? [] : [Layout.catalogue(named, .system)]
    }
}
