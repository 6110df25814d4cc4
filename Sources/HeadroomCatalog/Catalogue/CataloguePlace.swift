//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// Where a well-known cache may be: a path with variables at its beginning and patterns in its names.
///
///     ~/.cargo/registry/cache/*
///     $CARGO_HOME/registry/cache/*
///     $XDG_CACHE_HOME/pip
///     /var/cache/apt/archives
///
/// `~` is the home; `$XDG_CACHE_HOME`, `$XDG_CONFIG_HOME`, `$XDG_DATA_HOME` and
/// `$XDG_STATE_HOME` have the values that the specification gives them where they are not set. Any
/// other variable that is not set, or is no absolute path, makes the place one that is not there.
public struct CataloguePlace: Hashable, Sendable {
    /// As it was written.
    public let text: String
    /// The systems it is on.
    public var platforms: Set<Platform>
    /// What it begins at.
    package let base: Base
    package let names: [NameGlob]

    /// An operating system.
    public enum Platform: String, Hashable, Sendable, CaseIterable {
        case linux
        case macos

        /// The one that this program runs on.
        public static var current: Platform {
            #if canImport(Darwin)
            .macos
            #else
            .linux
            #endif
        }
    }

    package enum Base: Hashable, Sendable {
        case root
        case home
        case variable(String)
    }

    /// - Returns: nil if the text is no such place: relative, empty below its base unless that is a
    ///   variable's value, or with `..` in it.
    public init?(_ text: String, platforms: Set<Platform> = Set(Platform.allCases)) {
        var parts = text.utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)[...]
        guard let first = parts.popFirst().map(Substring.init) else { return nil }
        switch first {
        case "": base = .root
        case "~": base = .home
        case _ where first.hasPrefix("$") && first.count > 1:
            base = .variable(String(first.dropFirst()))
        default: return nil
        }
        let globs = parts.map { NameGlob($0, hasCounts: true) }
        names = globs.compactMap(\.self)
        // Not by the text, in which `\.\.` leads upwards as well.
        guard names.count == globs.count, !names.contains(where: \.isDots) else { return nil }
        switch base {
        // A whole home, and what lies directly below the root of the file tree, is no cache.
        case .home: if names.isEmpty { return nil }
        case .root: if names.count < 2 { return nil }
        case .variable(let name):
            if names.isEmpty, CatalogueEnvironment.standard[name] != nil { return nil }
        }
        self.text = text
        self.platforms = platforms
    }

    /// Whether it lies among the directories that Flatpak or Snap give to programs.
    var isSandboxed: Bool {
        let first = names.first?.literal?.text
        return base == .home && (first == ".var" || first == "snap")
    }

    /// The variable that it begins with, if that is one of its tool's own.
    public var variable: String? {
        guard case .variable(let name) = base, CatalogueEnvironment.standard[name] == nil else {
            return nil
        }
        return name
    }
}
