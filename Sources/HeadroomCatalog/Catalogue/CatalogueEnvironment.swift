//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
public import SystemPackage

/// Whose caches are looked for: a home, and the variables that say where tools keep things.
public struct CatalogueEnvironment: Sendable {
    public var variables: [String: String]
    public var home: FilePath
    public var platform: CataloguePlace.Platform

    public init(
        variables: [String: String], home: FilePath,
        platform: CataloguePlace.Platform = .current
    ) {
        self.variables = variables
        self.home = home.settled
        self.platform = platform
    }

    /// The base directories, with where they are in a home if their variable is not set.
    static let standard: [String: String] = [
        "XDG_CACHE_HOME": ".cache", "XDG_CONFIG_HOME": ".config",
        "XDG_DATA_HOME": ".local/share", "XDG_STATE_HOME": ".local/state",
    ]

    /// What a place begins at; nil if its variable is not set to an absolute path.
    func path(of base: CataloguePlace.Base) -> FilePath? {
        switch base {
        case .root: return "/"
        case .home: return home
        case .variable(let name):
            if let value = variables[name], value.hasPrefix("/") {
                let path = FilePath(value).settled
                // A cache directory that isn't one moves nothing.
                guard name == "XDG_CACHE_HOME",
                    EnvironmentTrust.obstacle(to: path, for: .cache, home: home) != nil
                else { return path }
            }
            return Self.standard[name].map { home.appending($0) }
        }
    }
}
