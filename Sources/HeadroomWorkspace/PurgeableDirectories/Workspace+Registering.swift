//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlatform
public import SystemPackage

extension Workspace {
    /// Registers a purgeable directory, making it with mode 0700 if it is missing. Blocks.
    ///
    /// Registering it again with the same rules changes nothing; with others, these hold. In an
    /// essential place the directory is marked as purgeable and left out of backups: that is what
    /// declares it there. The mark comes last: without it a registration permits nothing there, and a
    /// mark without a registration would permit all. On disk when it returns.
    ///
    /// - Parameter path: absolute.
    /// - Throws: `refused` for role roots, what lies outside of the registrar's limits, and what
    ///   overlaps another registration; `invalid` for rules that make no sense; what the ledger and the
    ///   marks throw. Nothing is made or changed then.
    @discardableResult
    public func registerDirectory(
        _ path: FilePath, _ rules: DirectoryRules, by registrar: DirectoryRegistrar = .person
    ) throws(HeadroomError) -> Registration {
        let place = try Self.plain(path)
        let origin = registrar.owner.map { "registered by \($0)" } ?? "registered"
        let area = try rules.area(at: place.path, origin: origin)
        let registered = ledger.registered
        let root = place.path
        let lost = ledger.lostRegistrations(at: clock())?.first { $0.area.root == root }
        // mutation: r19a-1
        if place.missing.isEmpty, lost == nil,
            let known = registered.first(where: { $0.area == area && $0.owner == registrar.owner }),
            try !lacksMark(known)
        {
            // Looked at when it was registered, and again by each check.
            return known
        }
        try registrar.check(place.path, among: registered)
        do throws(Errno) {
            // Closed at once: what is made here is looked at again by its path.
            _ = try DirectoryCreation.open(
                beneath: place.around.descriptor.rawValue, place.missing, calls)
        } catch {
            throw HeadroomError("make the directory", place.path, error)
        }
        do throws(HeadroomError) {
            return try register(area, by: registrar, known: registered, lost: lost)
        } catch {
            removeEmpty(place)
            throw error
        }
    }

    private func register(
        _ area: Area, by registrar: DirectoryRegistrar, known: [Registration], lost: Registration?
    ) throws(HeadroomError) -> Registration {
        let validation = self.validation
        let valid = try validation.validate(area, declaredBy: .registrar)
        guard valid.area.root == area.root, valid.area.purgeClass == area.purgeClass else {
            throw HeadroomError(
                .refused,
                "\(area.root.displayText) cannot be registered as a purgeable directory: it is "
                    + "marked as \(valid.area.purgeClass.name). Clear the mark first, or use another "
                    + "directory.")
        }
        var new = Registration(area, owner: registrar.owner, container: registrar.container)
        let old = known.first { $0.area.root == area.root }
        let isMarked = try marks.mark(of: area.root).purgeClass != nil
        let needsMark = isEssential(area.root) && !isMarked
        new.hasMark = needsMark || (old ?? lost)?.hasMark == true
        do throws(HeadroomError) {
            // mutation: r9h-3
            if new != old || lost != nil { try ledger.register(new) }
            if needsMark {
                try marks.update(area.root) {
                    $0.purgeClass = .cache
                    $0.isExcludedFromBackup = true
                }
            }
        } catch {
            // Also where the ledger holds it for this process alone. What was lost is not known to be
            // taken back, and protects.
            if let old {
                try? ledger.register(old)
            } else if lost == nil {
                try? ledger.unregister(root: area.root)
            }
            throw error
        }
        return new
    }

    /// Whether a registration has no mark where it needed one: a death came in between, or somebody has
    /// taken it off.
    private func lacksMark(_ known: Registration) throws(HeadroomError) -> Bool {
        guard known.hasMark else { return false }
        return try marks.mark(of: known.area.root).purgeClass == nil
    }

    /// Whether what lies there stays, as far as layouts and registrations say.
    private func isEssential(_ path: FilePath) -> Bool {
        let areas = layouts.flatMap(\.areas)
        let map = AreaMap(areas + validation.elsewhere(areas).areas)
        guard let index = map.areaIndex(for: path) else { return false }
        return map.areas[index].purgeClass == .essential
    }

    /// Takes a registration back. What is in the directory stays. On disk when it returns.
    ///
    /// The mark that it had put goes too, also where the directory was renamed since; of one that was moved
    /// elsewhere ``strayMark(of:)`` tells before.
    ///
    /// - Parameter path: absolute; need not exist.
    /// - Returns: what was registered; nil: nothing was.
    @discardableResult
    public func unregisterDirectory(_ path: FilePath) throws(HeadroomError) -> Registration? {
        let place = try Self.plain(path).path
        guard let old = ledger.registered.first(where: { $0.area.root == place }) else {
            return nil
        }
        var marked = old.hasMark ? [place] : []
        if case .beside(let other)? = strayMark(of: old) { marked.append(other) }
        for path in marked where (try? ResolvedDirectory(path)) != nil {
            try marks.update(path) {
                $0.purgeClass = nil
                $0.isExcludedFromBackup = nil
            }
        }
        try ledger.unregister(root: place)
        return old
    }

    /// What is registered for a directory; nil: nothing is.
    ///
    /// - Parameter path: absolute; need not exist.
    public func registration(at path: FilePath) -> Registration? {
        guard let place = try? Self.plain(path).path else { return nil }
        return registered.first { $0.area.root == place }
    }

    /// What an app's container has registered under the place where it was before moves along with it:
    /// an update of an app gives its container another path.
    ///
    /// - Parameter container: where it is now.
    package func moveRegistrations(
        of owner: String, to container: FilePath
    ) throws(HeadroomError) {
        for registration in ledger.registered
        where registration.owner == owner {
            // mutation: r1e-1 (2 lines)
            guard let before = registration.container, before != container,
                // Two that are both there are two containers.
                (try? ResolvedDirectory(before)) == nil
            else { continue }
            var moved = registration
            var root = registration.area.root
            guard root.removePrefix(before) else { continue }
            moved.area.root = container.appending(root.components)
            moved.container = container
            try ledger.register(moved)
            try ledger.unregister(root: registration.area.root)
        }
    }

    /// A directory that may have to be made.
    private struct Place: ~Copyable {
        /// Without links.
        let path: FilePath
        /// The innermost directory that is there.
        let around: ResolvedDirectory
        /// What has to be made in it.
        let missing: [FileName]
    }

    /// A path without links, as far as it exists.
    private static func plain(_ path: FilePath) throws(HeadroomError) -> Place {
        guard path.isAbsolute else {
            throw HeadroomError(
                .invalid, "“\(path.displayText)” is not an absolute path. Name it from / on.")
        }
        if path.components.contains(where: { $0.kind == .parentDirectory }) {
            throw HeadroomError(
                .invalid, "\(path.displayText) contains “..”. Name the directory itself.")
        }
        var existing = path.lexicallyNormalized()
        var missing: [FileName] = []
        while true {
            do throws(Errno) {
                // mutation: r19d-1
                let directory = try ResolvedDirectory(existing, followingLast: !missing.isEmpty)
                missing.reverse()
                let plain = missing.reduce(directory.path) { $0.appending($1) }
                return Place(path: plain, around: directory, missing: missing)
            } catch {
                guard error == .noSuchFileOrDirectory, let last = existing.names.last else {
                    if error == .notDirectory || error == .tooManySymbolicLinkLevels {
                        throw HeadroomError(
                            .invalid,
                            "\(existing.displayText) is a file or a link, not a directory. Name a "
                                + "directory itself.")
                    }
                    throw HeadroomError("open", existing, error)
                }
                missing.append(last)
                existing.removeLastComponent()
            }
        }
    }

    /// Removes the empty directories that were made in vain.
    private func removeEmpty(_ place: borrowing Place) {
        let around = place.around.descriptor.rawValue
        for count in place.missing.indices.reversed() {
            let outer = Array(place.missing.prefix(count))
            do throws(Errno) {
                let parent = Descriptor(
                    owning: try calls.openDirectory(beneath: around, path: outer))
                try place.missing[count].withEntryName { (name) throws(Errno) in
                    // rmdir(2) refuses what is not empty: somebody else uses it by now.
                    try calls.remove(name, at: parent.rawValue, isDirectory: true)
                }
            } catch {
                return
            }
        }
    }
}
