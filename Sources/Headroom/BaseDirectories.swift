//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// The directories that the environment assigns to a program: the XDG base directories, and the directory
/// for temporary files.
///
/// A variable does not make the content of its directory purgeable: only the app's own directories become
/// areas.
struct BaseDirectories {
    let data: FilePath
    let cache: FilePath
    let temporary: FilePath
    /// Variables that are ignored, and why.
    let notes: [Reason]
    private let home: FilePath

    /// - Parameter layout: the layout of the home; it knows the essential directories there.
    init(environment: [String: String], home: FilePath, layout: Layout) {
        self.home = home
        let personal = layout.guardedPlaces.filter(\.isPersonal).map(\.path)
        var notes: [Reason] = []
        func ignore(_ name: String, _ why: String) {
            notes.append(
                Reason(
                    .layout,
                    "\(name) is \(FilePath(environment[name] ?? "").displayText), which \(why), and is "
                        + "ignored. Set it to a directory of its own."))
        }
        func variable(_ name: String, _ standard: FilePath) -> FilePath {
            guard let value = environment[name], !value.isEmpty else { return standard }
            let path = FilePath(value).settled
            let leadsUp = path.components.contains { $0.kind == .parentDirectory }
            guard path.isAbsolute, !leadsUp, path.depth > 0 else {
                // Of the others the layout of the home has a note.
                if name != "XDG_DATA_HOME" {
                    ignore(name, "is not the absolute path of a directory")
                }
                return standard
            }
            return path
        }
        /// Caches and temporary files belong neither around a home nor among the files of its people.
        func scratch(_ name: String, _ standard: FilePath) -> FilePath {
            let path = variable(name, standard)
            let isFit =
                (!home.lies(in: path) || Self.shared.contains(path))
                && !personal.contains { path.lies(in: $0) }
            if !isFit {
                ignore(name, "is or contains the home, or lies in a directory of its people")
            }
            return isFit ? path : standard
        }
        data = variable("XDG_DATA_HOME", home.appending(".local/share"))
        cache = scratch("XDG_CACHE_HOME", home.appending(".cache"))
        temporary = scratch("TMPDIR", "/tmp")
        self.notes = notes
    }

    /// Directories that everybody writes to, in which a home may lie.
    private static let shared: Set<FilePath> = ["/tmp", "/var/tmp", "/dev/shm"]

    /// Why the app's directory of caches is not purgeable by default: it existed before, at a path that
    /// only a variable names, and contains something else.
    ///
    /// - Returns: nil if it is purgeable, as a directory that is missing or has Headroom's own tag.
    func obstacle(to caches: FilePath) -> String? {
        if caches.lies(in: home.appending(".cache"))
            || caches.lies(in: home.appending("Library/Caches"))
        {
            return nil
        }
        // A tag that can't be read does not count.
        if (try? CacheDirectoryTag.read(at: caches)) == .ownTag { return nil }
        return EnvironmentTrust.obstacle(to: caches, for: .tool, home: home)
    }
}
