//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
public import SystemPackage

/// A well-known cache that is there.
public struct CatalogueCache: Hashable, Sendable {
    public var entry: CatalogueEntry
    /// The directory that holds it. An entry may have several.
    public var root: FilePath

    public init(entry: CatalogueEntry, root: FilePath) {
        self.entry = entry
        self.root = root
    }

    /// The area that it makes: essential if only its tool may empty it.
    public var area: Area {
        var area = Area(
            root: root, purgeClass: entry.isPurgeable ? entry.purgeClass : .essential,
            unit: entry.unit, importance: entry.importance, origin: entry.name)
        area.catalogueID = entry.id
        return area
    }
}

extension Catalogue {
    /// More directories than that are no pattern's business.
    private static let mostPlaces = 4096

    /// The caches of the catalogue that are there, as directories and not as links, in its order.
    ///
    /// Looks at names only; blocks. Whether one of them may be purged is decided later, see
    /// ``AreaValidation``.
    ///
    /// - Complexity: O(entries), and the names in the directories that patterns stand in.
    public func caches(in environment: CatalogueEnvironment) -> [CatalogueCache] {
        var caches: [CatalogueCache] = []
        var seen: Set<FilePath> = []
        var bases: [CataloguePlace.Base: FilePath?] = [:]
        for entry in entries {
            for place in entry.places where place.platforms.contains(environment.platform) {
                let known = bases[place.base] ?? environment.path(of: place.base)
                bases[place.base] = known
                guard let base = known else { continue }
                for root in Self.directories(below: base, place.names)
                where seen.insert(root).inserted {
                    caches.append(CatalogueCache(entry: entry, root: root))
                }
            }
        }
        return caches
    }

    private static func directories(below base: FilePath, _ names: [NameGlob]) -> [FilePath] {
        var found = [base]
        for name in names {
            var next: [FilePath] = []
            for directory in found {
                if let literal = name.literal {
                    next.append(directory.appending(literal))
                    continue
                }
                let listed = ContainerDirectory(directory)
                // One that is not there, or may not be listed, has nothing for us.
                let matching =
                    (try? listed.names(in: nil) { name.matches($0.bytes) }) ?? []
                next += matching.filter { listed.hasDirectory($0) }.map {
                    directory.appending($0)
                }
                if next.count > mostPlaces { return [] }
            }
            found = next
        }
        return found.filter(ContainerDirectory.isDirectory)
    }
}
