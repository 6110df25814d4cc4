//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
public import SystemPackage

extension Layout {
    /// The layout of a home on Linux, as the XDG base directory specification has it.
    ///
    /// Cache is `~/.cache`; temporary are `/tmp` and `~/.local/state/tmp`; everything else in the home is essential.
    /// `XDG_CACHE_HOME` adds a directory, and `TMPDIR` replaces `/tmp` by one, if `EnvironmentTrust` has nothing
    /// against it; otherwise a note says why the directory is left out. A variable that is empty or relative counts as unset, as the specification says.
    /// Their unknown children are purged as whole directories (``PurgeUnit/directory``). If `~/.cache` is a symbolic
    /// link, it is followed once. Reads `user-dirs.dirs` in the configuration directory; blocks.
    ///
    /// - Parameters:
    ///   - environment: of the process; only the variables named above are looked at.
    ///   - home: an absolute path.
    public static func xdg(environment: [String: String], home: FilePath) -> Layout {
        let builder = XDGBuilder(environment: environment, home: home.settled)
        return builder.layout()
    }
}

/// Puts a home's layout together by names alone; what the names stand for is verified when the areas
/// are used.
private struct XDGBuilder {
    let environment: [String: String]
    let home: FilePath

    func layout() -> Layout {
        var notes: [Reason] = []
        let config = base("XDG_CONFIG_HOME", ".config", &notes)
        let data = base("XDG_DATA_HOME", ".local/share", &notes)
        let state = base("XDG_STATE_HOME", ".local/state", &notes)
        let userDirectories = personal(config)

        var areas = [
            Area(root: home, purgeClass: .essential, origin: "home directory")
        ]
        var guarded = [GuardedPlace(home, .essential, "the home directory \(home.displayText)")]
        func essential(_ path: FilePath, _ origin: String, isPersonal: Bool = false) {
            if let index = guarded.firstIndex(where: { $0.path == path }) {
                // A person's own, whatever else a variable says of it.
                if isPersonal { guarded[index].isPersonal = true }
                return
            }
            areas.append(Area(root: path, purgeClass: .essential, origin: origin))
            guarded.append(
                GuardedPlace(
                    path, .essential, "\(origin) (\(path.displayText))", isPersonal: isPersonal))
        }
        essential(config, "XDG_CONFIG_HOME")
        essential(data, "XDG_DATA_HOME")
        essential(state, "XDG_STATE_HOME")
        for (name, path) in userDirectories.sorted(by: { $0.key < $1.key }) {
            essential(path, name, isPersonal: true)
        }

        let cache = followed(home.appending(".cache"), &notes)
        var purgeable: [(FilePath, PurgeClass, String)] = [
            (cache, .cache, "XDG_CACHE_HOME"),
            (home.appending(".local/state/tmp"), .temporary, "XDG_STATE_HOME/tmp"),
        ]
        let named: [(String, EnvironmentTrust.Purpose, PurgeClass, FilePath?)] = [
            ("XDG_CACHE_HOME", .cache, .cache, nil), ("TMPDIR", .temporary, .temporary, "/tmp"),
        ]
        for (name, purpose, purgeClass, standard) in named {
            guard let path = variable(name, &notes) else {
                if let standard { purgeable.append((standard, purgeClass, standard.string)) }
                continue
            }
            if let obstacle = EnvironmentTrust.obstacle(to: path, for: purpose, home: home) {
                notes.append(EnvironmentTrust.note(path, named: name, obstacle))
            } else if !purgeable.contains(where: { $0.0 == path }) {
                purgeable.append((path, purgeClass, name))
            }
        }
        // A default location can turn out to be a project, too, and a link can lead to anything.
        purgeable.removeAll { path, _, origin in
            let isLinked = path == cache && cache != home.appending(".cache")
            guard path == cache || origin == "XDG_STATE_HOME/tmp",
                let obstacle = EnvironmentTrust.obstacle(
                    to: path, for: path != cache ? .tool : isLinked ? .linkedCache : .cache,
                    home: home)
            else { return false }
            notes.append(
                isLinked
                    ? EnvironmentTrust.note(link: home.appending(".cache"), to: path, obstacle)
                    : EnvironmentTrust.note(path, named: origin, obstacle))
            return true
        }
        for (path, purgeClass, origin) in purgeable {
            if let obstacle = obstacle(path, guarded) {
                notes.append(
                    Reason(
                        .layout,
                        "\(origin) is \(path.displayText), which \(obstacle): nothing in it is "
                            + "treated as \(purgeClass.name). Set \(origin) to a directory of its own."
                    ))
                continue
            }
            if areas.contains(where: { $0.root == path }) { continue }
            // A cache or /tmp on a volume of its own is usual, and the variable names it.
            areas.append(
                Area(
                    root: path, purgeClass: purgeClass, unit: .directory, origin: origin,
                    allowsMountRoot: true))
            guarded.append(
                GuardedPlace(
                    path, .itself, "\(origin) (\(path.displayText)), a \(purgeClass.name) area"))
        }
        return Layout(
            kind: .xdg, root: home, areas: areas, guardedPlaces: guarded, notes: notes)
    }

    /// Why a directory cannot be a cache or temporary area; nil if it can, by its name.
    private func obstacle(_ path: FilePath, _ guarded: [GuardedPlace]) -> String? {
        if path.depth == 0 { return "is the root of the file tree" }
        for place in guarded {
            if place.path == path { return "is \(place.name)" }
            // A shared directory such as /tmp may hold a home, which stays essential within it.
            if place.path.lies(in: path), !Self.shared.contains(path) {
                return "contains \(place.name)"
            }
        }
        // Documents and the like are a person's own; configuration, data and state are programs',
        // and a cache configured to lie there is meant to.
        // mutation: r1a-5
        for place in guarded where place.isPersonal {
            if path.lies(in: place.path) { return "lies in \(place.name)" }
        }
        return nil
    }

    /// The directory that `~/.cache` is, or leads to if it is a symbolic link of the user to a directory of the user.
    private func followed(_ path: FilePath, _ notes: inout [Reason]) -> FilePath {
        guard path.linkTarget != nil else { return path }
        guard let home = try? ResolvedDirectory(home), let target = try? ResolvedDirectory(path)
        else { return path }
        guard target.status.owner == home.status.owner else {
            notes.append(
                Reason(
                    .layout,
                    "\(path.displayText) is a link to \(target.path.displayText), which belongs to another user: "
                        + "nothing in it is purged. Let it belong to you, or remove the link."))
            return path
        }
        return target.path
    }

    private static let shared: Set<FilePath> = ["/tmp", "/var/tmp", "/dev/shm"]

    private func base(_ name: String, _ standard: String, _ notes: inout [Reason]) -> FilePath {
        variable(name, &notes) ?? home.appending(standard)
    }

    private func variable(_ name: String, _ notes: inout [Reason]) -> FilePath? {
        guard let value = environment[name], !value.isEmpty else { return nil }
        let path = FilePath(value)
        guard path.isAbsolute else {
            notes.append(
                Reason(
                    .layout,
                    "\(name) is \(path.displayText), which is not an absolute path, and is ignored. "
                        + "Set it to an absolute path."))
            return nil
        }
        let settled = path.settled
        guard !settled.components.contains(where: { $0.kind == .parentDirectory }) else {
            notes.append(
                Reason(
                    .layout,
                    "\(name) is \(path.displayText), which goes up from what is not there, and is "
                        + "ignored. Set it to a path without “..”."))
            return nil
        }
        return settled
    }

    /// A person's own directories: those of the variables, of the file, and the usual ones.
    private func personal(_ config: FilePath) -> [String: FilePath] {
        var directories: [String: FilePath] = [:]
        for name in ["Desktop", "Documents", "Downloads", "Music", "Pictures", "Videos"] {
            directories["XDG_\(name == "Downloads" ? "DOWNLOAD" : name.uppercased())_DIR"] =
                home.appending(name)
        }
        // Most homes on servers have none; the usual names then stand.
        if let content = try? SmallFile.read(config.appending("user-dirs.dirs")) {
            directories.merge(UserDirectories.parse(content, home: home)) { $1 }
        }
        for (name, value) in environment
        where name.hasPrefix("XDG_") && name.hasSuffix("_DIR") && value.hasPrefix("/")
            && name != "XDG_RUNTIME_DIR"
        {
            directories[name] = FilePath(value).settled
        }
        // Switched off, as xdg-user-dirs does it.
        return directories.filter { $0.value != home }
    }
}
