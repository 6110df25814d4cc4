//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import SystemPackage

/// A configuration that was read and can be used, with where each value is from.
public struct LoadedConfiguration: Hashable, Sendable {
    public var configuration: ServiceConfiguration
    /// The files that were read, the main one first, the drop-ins in the order of their names.
    public var files: [FilePath]
    /// What is worth knowing though it holds: declarations that met, directories that are missing.
    public var notes: [ConfigurationProblem]
    /// The place of each value that stands in a file, by the key that ``ServiceConfiguration/settings``
    /// has for it.
    public var locations: [String: ConfigurationLocation]

    public init(
        configuration: ServiceConfiguration, files: [FilePath], notes: [ConfigurationProblem],
        locations: [String: ConfigurationLocation]
    ) {
        self.configuration = configuration
        self.files = files
        self.notes = notes
        self.locations = locations
    }
}
