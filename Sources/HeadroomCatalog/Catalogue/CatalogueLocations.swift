//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// The directories that a place of the catalog may begin at: the user's own, and those that Flatpak and Snap
/// give to each program instead.
///
/// Flatpak runs a program with `~/.var/app/ID/cache` as `XDG_CACHE_HOME`, and likewise for `config`, `data` and
/// `.local/state`; parts of the home that a program persists are directly in `~/.var/app/ID`. Snap runs it with
/// `~/snap/NAME/REVISION` or `~/snap/NAME/common` as its home. `~/snap/NAME/current` is a link to a revision and
/// is not followed.
///
/// A place in `/tmp` is also looked for in `/var/tmp`, and in the `TMPDIR` of a user below one of them (pam_tmpdir(8) sets
/// `/tmp/user/UID`). The `/var/tmp` of a Flatpak is `~/.var/app/ID/cache/tmp`, and many programs are packaged with
/// `TMPDIR=/var/tmp`. Their `/tmp` is in memory, and that of a snap is readable for root only.
/// Sources: https://docs.flatpak.org/en/latest/sandbox-permissions.html, https://snapcraft.io/docs/data-locations,
/// https://github.com/flatpak/flatpak/blob/main/common/flatpak-run.c, https://github.com/flatpak/flatpak/issues/3438.
struct CatalogueLocations {
    struct Location {
        let path: FilePath
        /// The variable that names it; nil: it has the location by convention.
        var variable: String?
        /// Whether programs use it as they use `/tmp`.
        var isTemporary = false

        /// The names of a place below this location; nil if the place is not in it.
        func names(of place: CataloguePlace) -> ArraySlice<NameGlob>? {
            guard isTemporary else { return place.names[...] }
            let names = place.names.prefix { $0.literal != nil }.compactMap { $0.literal?.text }
            let depth: Int
            switch (names.first, names.dropFirst().first) {
            case ("tmp", _): depth = 1
            case ("var", "tmp") where path != "/var/tmp": depth = 2
            default: return nil
            }
            return place.names.count > depth ? place.names.dropFirst(depth) : nil
        }
    }

    private var sandboxes: [CataloguePlace.Base: [Location]] = [:]
    private let environment: CatalogueEnvironment

    init(_ environment: CatalogueEnvironment, _ listings: DirectoryListings) {
        self.environment = environment
        sandboxes[.root] = [Location(path: "/var/tmp", isTemporary: true)]
        if let directory = environment.variables["TMPDIR"].map({ FilePath($0) }),
            directory.lies(in: "/tmp") || directory.lies(in: "/var/tmp"),
            directory != "/tmp", directory != "/var/tmp"
        {
            sandboxes[.root, default: []].append(Location(path: directory, isTemporary: true))
        }
        guard environment.platform == .linux else { return }
        let flatpak = environment.home.appending(".var/app")
        for app in listings.directories(in: flatpak) {
            add(
                app, listings,
                [
                    "XDG_CACHE_HOME": "cache", "XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data",
                    "XDG_STATE_HOME": ".local/state",
                ])
            sandboxes[.root, default: []].append(
                Location(path: app.appending("cache/tmp"), isTemporary: true))
        }
        for snap in listings.directories(in: environment.home.appending("snap")) {
            for version in listings.directories(in: snap) {
                add(version, listings, CatalogueEnvironment.standard)
            }
        }
    }

    private mutating func add(
        _ home: FilePath, _ listings: DirectoryListings, _ directories: [String: String]
    ) {
        sandboxes[.home, default: []].append(Location(path: home))
        let names = Set(listings.names(in: home))
        for (variable, directory) in directories {
            let path = home.appending(directory)
            guard let first = FilePath(directory).names.first, names.contains(first) else {
                continue
            }
            sandboxes[.variable(variable), default: []].append(Location(path: path))
        }
    }

    /// The locations of a base, the user's own first. A base directory that a variable names does not replace
    /// the one in the home: programs that do not read the variable, or ran without it, use that.
    func locations(of base: CataloguePlace.Base) -> [Location] {
        switch base {
        case .root: return [Location(path: "/")] + sandboxes[base, default: []]
        case .home: return [Location(path: environment.home)] + sandboxes[base, default: []]
        case .variable(let name):
            guard let standard = CatalogueEnvironment.standard[name] else {
                return environment.path(of: base).map { [Location(path: $0, variable: name)] } ?? []
            }
            let own = environment.home.appending(standard)
            var locations = [Location(path: own)]
            if let named = environment.path(of: base), named != own {
                locations.insert(Location(path: named, variable: name), at: 0)
            }
            return locations + sandboxes[base, default: []]
        }
    }
}
