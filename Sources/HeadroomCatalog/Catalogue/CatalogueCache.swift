//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlatform
public import SystemPackage

/// A well-known cache that exists.
public struct CatalogueCache: Hashable, Sendable {
    public var entry: CatalogueEntry
    /// The directory that holds it. An entry may have several.
    public var root: FilePath
    /// The tool's lock files, as absolute paths; they need not exist.
    public var lockFiles: [FilePath] = []
    /// Directories in it that are essential.
    public var protectedDirectories: [FilePath] = []
    /// Files in it that are essential.
    public var protectedFiles: [FilePath] = []

    public init(entry: CatalogueEntry, root: FilePath) {
        self.entry = entry
        self.root = root
    }

    /// The area that it makes: essential if only its tool may empty it.
    public var area: Area {
        var area = Area(
            // mutation: r32e-1
            // mutation: r32c-1
            root: root, purgeClass: entry.isPurgeable ? entry.purgeClass : .essential,
            unit: entry.unit, importance: entry.importance, origin: entry.name)
        area.catalogueID = entry.id
        area.lockFiles = lockFiles
        area.holdsClones = entry.holdsClones
        return area
    }

    /// The area that it makes, and the essential ones in it.
    public var areas: [Area] {
        [area]
            + protectedDirectories.map { path in
                var area = Area(root: path, purgeClass: .essential, origin: entry.name)
                area.catalogueID = entry.id
                return area
            }
    }
}
