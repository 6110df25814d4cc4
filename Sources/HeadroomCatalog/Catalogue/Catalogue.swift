//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore

/// What is known of well-known caches: of package managers, compilers, browsers, and the system.
///
///     let catalogue = Catalogue.standard
///     let here = CatalogueEnvironment(variables: environment, home: home)
///     for cache in catalogue.caches(in: here) {
///         print(cache.entry.name, cache.root)
///     }
///
/// It is written as text, see ``init(parsing:origin:)``. What comes with Headroom is in the program;
/// packagers and users add to it with files of their own, see ``load(environment:)``.
public struct Catalogue: Hashable, Sendable {
    /// In the order in which they were written; no two have one id.
    public private(set) var entries: [CatalogueEntry]
    /// What is wrong with files that were added; the rest of them holds.
    public var notes: [Reason]

    /// - Parameter entries: of several with one id, the last holds, in the place of the first.
    public init(_ entries: [CatalogueEntry] = [], notes: [Reason] = []) {
        self.entries = []
        self.notes = notes
        var indexes: [String: Int] = [:]
        for entry in entries {
            if let index = indexes[entry.id] {
                self.entries[index] = entry
            } else {
                indexes[entry.id] = self.entries.count
                self.entries.append(entry)
            }
        }
    }

    /// What comes with Headroom.
    public static let standard: Catalogue = {
        // A test reads each text. Without them nothing would be known by its name.
        let parts = EmbeddedCatalogue.texts.compactMap { text in
            try? Catalogue(parsing: text.content, origin: nil)
        }
        return Catalogue(parts.flatMap(\.entries))
    }()

    public func entry(_ id: String) -> CatalogueEntry? { entries.first { $0.id == id } }

    /// Both; of entries with one id, the other's holds.
    public func adding(_ other: Catalogue) -> Catalogue {
        Catalogue(entries + other.entries, notes: notes + other.notes)
    }

    /// The variables, beside those of the base directories, that say where something is.
    public var variables: Set<String> {
        Set(entries.flatMap { $0.places.compactMap(\.variable) })
    }
}
