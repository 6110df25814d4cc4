//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
package import SystemPackage

/// Decides whether a directory that an environment variable names may be an area by default (R42).
///
/// Variables tell programs where to write. They say nothing of the files that are already there: people point
/// `TMPDIR` to a project and `XDG_CACHE_HOME` to a data disk. All routes ask here: the layout of a home, the entries
/// of the catalog, the app library, the daemon.
package enum EnvironmentTrust {
    /// The purpose of a variable.
    package enum Purpose: Hashable, Sendable {
        /// `TMPDIR`
        case temporary
        /// `XDG_CACHE_HOME`
        case cache
        /// A variable of one tool; the content has to have that tool's shape as well.
        case tool
        /// The directory that a `~/.cache` leads to that is a symbolic link. Other programs than caches may have
        /// used the directory before.
        case linkedCache
    }

    /// Why a directory can't be an area by default, as the end of "which …": `contains a Git repository (.git)`.
    ///
    /// Blocks: lists the directory and those around it.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - home: the user's home directory.
    /// - Returns: nil if nothing speaks against it. A directory that doesn't exist has nothing to lose.
    package static func obstacle(
        to path: FilePath, for purpose: Purpose, home: FilePath, user: UInt32 = User.effective
    ) -> String? {
        guard let directory = try? ResolvedDirectory(path) else { return nil }
        let real = directory.path
        // By its plain path, as the directory's.
        let home = (try? ResolvedDirectory(home).path) ?? home
        let known = knownRoot(of: real, purpose, home, user)
        // A disk that is mounted below a known location has files of its own.
        let isKnown = if let known { isOnSameMount(directory, as: known) } else { false }
        // mutation: s11b-9
        if user == 0, !isKnown, !RootsAlone.isEnd(of: path) {
            return
                "isn't root's alone: another user owns it, or can write to it or to a directory around it"
        }
        if !isKnown {
            let status = directory.status
            if status.owner != user, user != 0 { return "belongs to another user" }
            if isMountRoot(directory) { return "is the root of a volume" }
        }
        // mutation: r42b-1
        if let found = project(around: real, home: home) { return found }
        guard !isKnown else { return nil }
        if let found = userContent(in: real) { return found }
        switch purpose {
        case .tool: return nil
        case .linkedCache: return linkObstacle(real, home)
        case .cache:
            // mutation: s11b-7
            return isNamedCache(real) ? nil : "isn't a directory that is known to hold only caches"
        case .temporary:
            if let known { return "is on a volume of its own that is mounted below \(known)" }
            // mutation: s11b-8 (2 lines)
            return
                "isn't a directory that is known to hold only temporary files, such as one in /tmp"
        }
    }

    /// The note on a directory that is not used.
    package static func note(
        _ path: FilePath, named variable: String, _ obstacle: String
    ) -> Reason {
        let shown = path.displayText
        return Reason(
            .layout,
            "\(variable) is \(shown), which \(obstacle): nothing in it is purged by default. Point "
                + "\(variable) to a directory of its own, or declare this one: headroom dir add \(shown)"
        )
    }

    /// The note on a link from `~/.cache` that is not followed.
    package static func note(
        link: FilePath, to target: FilePath, _ obstacle: String
    ) -> Reason {
        let shown = target.displayText
        return Reason(
            .layout,
            "\(link.displayText) is a link to \(shown), which \(obstacle): nothing in it is purged by default. "
                + "Link to a directory named cache, or declare this one: headroom dir add \(shown)")
    }

    // MARK: - Known locations

    /// The known location that a directory is or lies in, by its name; nil if it lies elsewhere.
    private static func knownRoot(
        of path: FilePath, _ purpose: Purpose, _ home: FilePath, _ user: UInt32
    ) -> FilePath? {
        switch purpose {
        case .tool, .linkedCache: return nil
        case .cache:
            let caches = [home.appending(".cache"), home.appending("Library/Caches")]
            return caches.first { path.lies(in: $0) }
        case .temporary:
            let roots: [FilePath] = [
                "/tmp", "/var/tmp", "/private/tmp", "/private/var/folders",
                home.appending(".local/state/tmp"),
            ]
            if let root = roots.first(where: { path.lies(in: $0) }) { return root }
            // The session's own sockets and keys lie directly in it.
            let runtime = FilePath("/run/user/\(user)")
            return path != runtime && path.lies(in: runtime) ? runtime : nil
        }
    }

    /// Whether nothing is mounted on the way from a known location to a directory in it. The location itself may be
    /// a mount, as `/tmp` often is.
    private static func isOnSameMount(
        _ directory: borrowing ResolvedDirectory, as known: FilePath
    ) -> Bool {
        if directory.path == known { return true }
        guard let root = try? ResolvedDirectory(known).status else { return false }
        // mutation: r42b-2
        return !directory.status.isMountRoot && directory.status.isOnMount(of: root)
    }

    /// Whether a directory has the conventional name, as `/mnt/fast/ann/.cache`, or a tag that declares it
    /// a cache.
    private static func isNamedCache(_ path: FilePath) -> Bool {
        if path.lastComponent?.string == ".cache" { return true }
        // A tag that can't be read does not count.
        return (try? CacheDirectoryTag.read(at: path))?.isEmpty == false
    }

    private static func isMountRoot(_ directory: borrowing ResolvedDirectory) -> Bool {
        let status = directory.status
        guard let parent = directory.ancestors.first else { return true }
        return status.isMountRoot || !status.isOnMount(of: parent)
    }

    // MARK: - Links

    /// Why a link from `~/.cache` is not followed to a directory; nil if it is.
    ///
    /// - Parameter home: its plain path.
    private static func linkObstacle(_ path: FilePath, _ home: FilePath) -> String? {
        let names = path.components.map(\.string)
        if let name = names.first(where: { credentialDirectories.contains($0) }) {
            return "is or lies in \(name)"
        }
        let name = names.last?.lowercased() ?? ""
        if name.hasPrefix("cache") || name.hasSuffix("cache") || name.hasSuffix("caches")
            || isNamedCache(path)
        {
            return nil
        }
        // mutation: r42g-1
        if path.lies(in: home) { return "lies in the home directory and isn't named as a cache" }
        return names.first { personalDirectories.contains($0) }.map { "is or lies in \($0)" }
    }

    /// Directories in which programs keep keys, mail and settings.
    private static let credentialDirectories: Set<String> = [
        ".ssh", ".gnupg", ".gpg", ".pki", ".password-store", ".aws", ".azure", ".kube", ".docker",
        ".thunderbird", ".mozilla", ".config", ".kde", ".kde4", ".electrum", ".bitcoin",
    ]

    // MARK: - Projects

    /// The version-control directory or project manifest in a directory or in one around it. The home itself doesn't
    /// count, because people keep their dotfiles in Git, and neither do directories that everyone may write in.
    ///
    /// - Parameter home: its plain path, so that the walk upwards ends there.
    private static func project(around path: FilePath, home: FilePath) -> String? {
        var current = path
        while current.depth > 0, current != home {
            if let status = try? PathCalls.status(current), !status.isSharedSticky,
                let name = evidence(in: current)
            {
                return current == path
                    ? "contains \(name)" : "lies in \(current.displayText), which contains \(name)"
            }
            current.removeLastComponent()
        }
        return nil
    }

    private static func evidence(in directory: FilePath) -> String? {
        // A directory that can't be listed shows nothing.
        let names =
            (try? ContainerDirectory(directory).names(in: nil) { name in
                repositories.contains(name.text) || isManifest(name.text)
            }) ?? []
        if let repository = names.first(where: { repositories.contains($0.text) }) {
            return "a repository (\(repository.text))"
        }
        return names.first.map { "a project (\($0.text))" }
    }

    private static let repositories: Set<String> = [
        ".git", ".hg", ".svn", ".bzr", ".jj", ".pijul", "_darcs", "CVS", ".fslckout", "_FOSSIL_",
    ]

    private static func isManifest(_ name: String) -> Bool {
        manifests.contains(name) || manifestSuffixes.contains { name.hasSuffix($0) }
    }

    /// The files that make a directory a project, from the documentation of the tools that read them.
    private static let manifests: Set<String> = [
        "package.json", "deno.json", "Cargo.toml", "Package.swift", "go.mod", "go.work",
        "pyproject.toml",
        "setup.py", "setup.cfg", "requirements.txt", "Pipfile", "environment.yml", "Makefile",
        "GNUmakefile",
        "CMakeLists.txt", "meson.build", "configure.ac", "SConstruct", "WORKSPACE", "MODULE.bazel",
        "BUILD.bazel",
        "pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts",
        "build.sbt",
        "Gemfile", "Rakefile", "composer.json", "mix.exs", "rebar.config", "stack.yaml",
        "cabal.project",
        "dune-project", "pubspec.yaml", "build.zig", "Podfile", "Cartfile", "Dockerfile",
        "docker-compose.yml",
        "compose.yaml", "Vagrantfile", "flake.nix", "shell.nix", "default.nix", "project.godot",
        "renv.lock",
        "DESCRIPTION", "Project.toml", "main.tf", "terraform.tfstate", "ansible.cfg", "justfile",
        "Taskfile.yml",
        "latexmkrc", ".latexmkrc", "_quarto.yml", "mkdocs.yml", "conf.py", ".project", "elm.json",
        "gleam.toml",
    ]

    private static let manifestSuffixes = [
        ".sln", ".csproj", ".fsproj", ".vbproj", ".vcxproj", ".xcodeproj", ".xcworkspace", ".cabal",
        ".opam",
        ".gemspec", ".nimble", ".uproject", ".Rproj", ".code-workspace",
    ]

    // MARK: - User content

    /// A file or directory directly in a directory that looks like a person's own.
    private static func userContent(in directory: FilePath) -> String? {
        let container = ContainerDirectory(directory)
        // A directory that can't be listed shows nothing.
        let names = (try? container.names(in: nil) { isUserContent($0) }) ?? []
        return names.first.map { "contains files of yours (\($0.text))" }
    }

    private static func isUserContent(_ name: FileName) -> Bool {
        let text = name.text
        if personalDirectories.contains(text) || credentialDirectories.contains(text) {
            return true
        }
        // Tools put such files beside their downloads.
        let plain = text.lowercased()
        if plain.hasPrefix("readme") || plain.hasPrefix("license") || plain == "version.txt" {
            return false
        }
        switch FileKind(name: name) {
        case .video, .image, .audio, .pdf, .document: return true
        case .archive, .diskImage, .database, .code, .library, .other: return false
        }
    }

    private static let personalDirectories: Set<String> = [
        "Desktop", "Documents", "Downloads", "Music", "Pictures", "Videos", "Photos", "photos",
        "DCIM",
    ]
}

extension FileStatus {
    /// Whether two files are on the same mount; where mounts have no numbers, on the same device.
    fileprivate func isOnMount(of other: FileStatus) -> Bool {
        mountID == other.mountID && (mountID != 0 || identity.device == other.identity.device)
    }
}
