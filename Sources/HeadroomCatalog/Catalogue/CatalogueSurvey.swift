//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlatform
public import SystemPackage

/// The well-known caches that exist on a machine, and why some directories are not among them.
public struct CatalogueSurvey: Hashable, Sendable {
    /// In the order of the catalog; no two have one root.
    public var caches: [CatalogueCache] = []
    /// Files that entries of class essential match: they are kept in any directory.
    public var protectedFiles: [FilePath] = []
    /// Directories that a variable names and that are left out, with the reason and a remedy.
    public var notes: [Reason] = []

    package init(
        caches: [CatalogueCache] = [], protectedFiles: [FilePath] = [], notes: [Reason] = []
    ) {
        self.caches = caches
        self.protectedFiles = protectedFiles
        self.notes = notes
    }
}

extension Catalogue {
    /// Finds the caches of the catalog that exist, as directories and not as links.
    ///
    /// A place counts in each location that its program may have: the user's own directories, and those that
    /// Flatpak and Snap give to it. Looks at names, and at the directories that tools' own variables name;
    /// blocks. Whether one of the caches may be purged is decided later, see `AreaValidation`.
    ///
    /// - Complexity: O(names in the base directories and in those that patterns stand in).
    public func survey(in environment: CatalogueEnvironment) -> CatalogueSurvey {
        var surveyor = CatalogueSurveyor(entries, environment)
        return surveyor.survey()
    }

    /// The caches of the catalog that exist: those of ``survey(in:)``.
    public func caches(in environment: CatalogueEnvironment) -> [CatalogueCache] {
        survey(in: environment).caches
    }
}

/// Expands the places of a catalog.
private struct CatalogueSurveyor {
    private let entries: [CatalogueEntry]
    private let environment: CatalogueEnvironment
    private let listings = DirectoryListings()
    private let locations: CatalogueLocations
    private var found = CatalogueSurvey()
    private var indexes: [FilePath: Int] = [:]
    private var obstacles: [String: String?] = [:]
    private var shapeNotes: [ShapeNote] = []

    /// A note on a directory below a variable without a tool's content.
    private struct ShapeNote {
        var entry: String
        var root: FilePath
        /// The variable's value.
        var value: FilePath
        var note: Reason
    }

    /// A place of an entry, by their numbers.
    private struct Reference: Hashable {
        var entry: Int
        var place: Int
    }

    /// The places that begin at one base, by the first name below it: each location of the base is listed once,
    /// however many entries there are.
    private struct PlaceGroup {
        var byName: [FileName: [Reference]] = [:]
        var others: [Reference] = []

        var all: [Reference] { byName.values.flatMap(\.self) + others }
    }

    /// A place in one location, with the directories that match.
    private struct Match {
        var reference: Reference
        /// The number of the location among those of the base.
        var order: Int
        var location: CatalogueLocations.Location
        var roots: [FilePath]
    }

    init(_ entries: [CatalogueEntry], _ environment: CatalogueEnvironment) {
        self.entries = entries
        self.environment = environment
        locations = CatalogueLocations(environment, listings)
    }

    mutating func survey() -> CatalogueSurvey {
        var groups: [CataloguePlace.Base: PlaceGroup] = [:]
        for (number, entry) in entries.enumerated() {
            for (index, place) in entry.places.enumerated()
            where place.platforms.contains(environment.platform) {
                let reference = Reference(entry: number, place: index)
                if let name = place.names.first?.literal, place.base != .root {
                    groups[place.base, default: PlaceGroup()].byName[name, default: []]
                        .append(reference)
                } else {
                    groups[place.base, default: PlaceGroup()].others.append(reference)
                }
            }
        }
        var matches: [Match] = []
        for (base, group) in groups {
            for (order, location) in locations.locations(of: base).enumerated() {
                for reference in references(of: group, in: location.path, base) {
                    let roots = roots(of: reference, in: location, order)
                    guard !roots.isEmpty else { continue }
                    matches.append(
                        Match(
                            reference: reference, order: order, location: location, roots: roots))
                }
            }
        }
        matches.sort { left, right in
            (left.reference.entry, left.reference.place, left.order)
                < (right.reference.entry, right.reference.place, right.order)
        }
        for match in matches { add(match) }
        // A variable that leads to the tool's content in one directory is right: others are not in use yet.
        for item in shapeNotes
        where !found.caches.contains(where: {
            $0.entry.id == item.entry
                && ($0.root.lies(in: item.value) || item.root.lies(in: $0.root))
        }) {
            note(item.note)
        }
        return found
    }

    /// The places of a group that may exist in a location.
    private func references(
        of group: PlaceGroup, in location: FilePath, _ base: CataloguePlace.Base
    ) -> [Reference] {
        guard base != .root else { return group.all }
        switch listings.listing(of: location) {
        case .absent: return []
        case .unlistable: return group.all
        case .names(let names):
            return names.flatMap { group.byName[$0, default: []] } + group.others
        }
    }

    /// - Parameter order: 0 for the user's own location.
    private func roots(
        of reference: Reference, in location: CatalogueLocations.Location, _ order: Int
    ) -> [FilePath] {
        let place = entries[reference.entry].places[reference.place]
        // These are the locations of other programs themselves.
        if order > 0, place.base == .home, place.isSandboxed { return [] }
        // A directory of a user has nothing of the system's.
        if location.isTemporary, entries[reference.entry].scope == .system { return [] }
        guard let names = location.names(of: place) else { return [] }
        let location = location.path
        if let paths = listings.paths(below: location, names, skipsStores: true) {
            return paths.filter { path in
                switch ContainerDirectory.type(of: path) {
                case .directory: true
                case nil: false
                // Only a protecting entry may match files.
                default: entries[reference.entry].purgeClass == .essential
                }
            }
        }
        // Too many: the directories around the matches are protected.
        guard !entries[reference.entry].isPurgeable else { return [] }
        let start = Array(names).literalStart(below: location)
        guard start == location, names.count > 1, let last = names.last else {
            return start == location ? [] : [start]
        }
        let directories =
            listings.paths(below: location, names.dropLast(), skipsStores: true) ?? []
        return directories.filter { directory in
            listings.names(in: directory).contains { last.matches($0.bytes) }
        }
    }

    // MARK: - One match

    private mutating func add(_ match: Match) {
        let entry = entries[match.reference.entry]
        let place = entry.places[match.reference.place]
        for root in match.roots {
            guard ContainerDirectory.isDirectory(root) else {
                found.protectedFiles.append(root)
                continue
            }
            guard entry.requires.isEmpty || has(entry.requires, in: root) else { continue }
            var entry = entry
            if let variable = match.location.variable {
                guard let usable = self.entry(entry, at: root, by: variable, match.location.path)
                else { continue }
                entry = usable
            }
            var cache = CatalogueCache(entry: entry, root: root)
            cache.lockFiles = entry.locks.flatMap { lockFiles($0, of: root) }
            protect(in: &cache, isShared: place.variable != nil)
            add(cache)
        }
    }

    /// Of several entries that match one directory, the first counts, unless a later one protects it.
    private mutating func add(_ cache: CatalogueCache) {
        guard let index = indexes[cache.root] else {
            indexes[cache.root] = found.caches.count
            return found.caches.append(cache)
        }
        if found.caches[index].entry.isPurgeable, !cache.entry.isPurgeable {
            found.caches[index] = cache
        }
    }

    /// The entry as it applies at a directory that a variable names.
    ///
    /// - Returns: nil if it is not the tool's cache, or must not be purged there.
    private mutating func entry(
        _ entry: CatalogueEntry, at root: FilePath, by variable: String, _ value: FilePath
    ) -> CatalogueEntry? {
        // An entry that only protects does so in any directory.
        guard entry.purgeClass != .essential else { return entry }
        let isBaseDirectory = CatalogueEnvironment.standard[variable] != nil
        if !isBaseDirectory, !hasShape(of: entry, in: root) {
            noteShape(of: entry, at: root, variable, value)
            return nil
        }
        guard let obstacle = obstacle(to: value, variable) else { return entry }
        switch variable {
        // The layout of the home says this of the cache directory.
        case "XDG_CACHE_HOME": break
        case _ where isBaseDirectory: noteBase(value, variable, obstacle)
        default: note(EnvironmentTrust.note(value, named: variable, obstacle))
        }
        guard entry.cleaning == .command else { return nil }
        // The tool's own cache, which an area around it must not purge file by file.
        var kept = entry
        kept.purgeClass = .essential
        return kept
    }

    private mutating func obstacle(to path: FilePath, _ variable: String) -> String? {
        if let known = obstacles[variable] { return known }
        let obstacle =
            if path == environment.home {
                "is the home directory"
            } else if environment.home.lies(in: path) {
                "contains the home directory"
            } else {
                EnvironmentTrust.obstacle(
                    to: path, for: variable == "XDG_CACHE_HOME" ? .cache : .tool,
                    home: environment.home) ?? Self.baseObstacle(to: path, variable)
            }
        obstacles[variable] = .some(obstacle)
        return obstacle
    }

    /// Why the value of a base variable is not trusted: caches are recognized by their paths in it, which a directory
    /// with other content may have as well (`~/project/Code/logs`).
    private static func baseObstacle(to path: FilePath, _ variable: String) -> String? {
        guard variable != "XDG_CACHE_HOME", let standard = CatalogueEnvironment.standard[variable],
            !path.ends(with: FilePath(standard))
        else { return nil }
        return "doesn't end in \(standard)"
    }

    private mutating func noteBase(_ value: FilePath, _ variable: String, _ obstacle: String) {
        note(
            Reason(
                .layout,
                "\(variable) is \(value.displayText), which \(obstacle): caches of programs in it are not "
                    + "purged by default. To purge one of them, name its directory: headroom purge DIRECTORY "
                    + "--as cache"))
    }

    private mutating func noteShape(
        of entry: CatalogueEntry, at root: FilePath, _ variable: String, _ value: FilePath
    ) {
        guard entry.isPurgeable, !listings.names(in: root).isEmpty else { return }
        let note = Reason(
            .layout,
            "\(variable) is \(value.displayText), but \(root.displayText) contains nothing that "
                + "\(entry.name) creates (\(entry.shape.joined(separator: ", "))): it is not treated as "
                + "a cache. Point \(variable) to a directory of its own, or declare this one: headroom "
                + "dir add \(root.displayText)")
        shapeNotes.append(ShapeNote(entry: entry.id, root: root, value: value, note: note))
    }

    private mutating func note(_ note: Reason) {
        if !found.notes.contains(note) { found.notes.append(note) }
    }

    // MARK: - Content of a directory

    private func has(_ patterns: [String], in root: FilePath) -> Bool {
        patterns.contains { text in
            CataloguePattern(text).map { !$0.matches(from: root, listings).isEmpty } ?? false
        }
    }

    /// Whether a directory has content that only the entry's tool creates. Patterns that lead up name no content of
    /// the directory: where the shape has any, one of them must match as well.
    private func hasShape(of entry: CatalogueEntry, in root: FilePath) -> Bool {
        let around = entry.shape.filter { CataloguePattern($0)?.levelsUp != 0 }
        guard around.isEmpty || has(around, in: root) else { return false }
        return has(entry.shape.filter { !around.contains($0) }, in: root)
    }

    /// A lock file need not exist yet; those that match a pattern do.
    private func lockFiles(_ text: String, of root: FilePath) -> [FilePath] {
        if text.hasPrefix("/") { return [FilePath(text)] }
        guard let pattern = CataloguePattern(text) else { return [] }
        return pattern.literal(from: root).map { [$0] } ?? pattern.matches(from: root, listings)
    }

    /// Finds the essential content of a cache: the paths that its entry protects and, where a tool's variable leads,
    /// everything that does not match the shape, because the directory may be used for other content as well.
    private func protect(in cache: inout CatalogueCache, isShared: Bool) {
        guard cache.entry.isPurgeable else { return }
        let root = cache.root
        var paths = cache.entry.protects.compactMap(CataloguePattern.init)
            .flatMap { $0.matches(from: root, listings) }
        if isShared {
            let shape = cache.entry.shape.compactMap(CataloguePattern.init)
                .filter { $0.levelsUp == 0 }.map { $0.names[...] }
            paths += foreignContent(of: root, shape).paths
        }
        for path in paths {
            if ContainerDirectory.isDirectory(path) {
                cache.protectedDirectories.append(path)
            } else {
                cache.protectedFiles.append(path)
            }
        }
    }

    /// The content of a directory that matches no pattern, as high in the tree as possible.
    ///
    /// - Returns: also whether anything matches; if not, the whole directory is foreign.
    private func foreignContent(
        of directory: FilePath, _ patterns: [ArraySlice<NameGlob>]
    ) -> (paths: [FilePath], hasMatch: Bool) {
        var paths: [FilePath] = []
        var hasMatch = false
        // Without mount points: one that does not answer must not hold up the survey.
        let directories =
            patterns.contains { $0.count > 1 }
            ? Set(listings.directoryNames(in: directory)) : []
        for name in listings.names(in: directory) {
            let path = directory.appending(name)
            let matching = patterns.filter { $0.first?.matches(name.bytes) == true }
            if matching.contains(where: { $0.count == 1 }) {
                hasMatch = true
            } else if !matching.isEmpty, directories.contains(name) {
                let inner = foreignContent(of: path, matching.map { $0.dropFirst() })
                paths += inner.hasMatch ? inner.paths : [path]
                hasMatch = hasMatch || inner.hasMatch
            } else {
                paths.append(path)
            }
        }
        return (paths, hasMatch)
    }
}
