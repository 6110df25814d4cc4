//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomConfiguration
public import HeadroomEngine
public import SystemPackage

/// What the API speaks of: the service as it is configured now.
public struct APISituation: Sendable {
    /// With the areas of the configuration.
    public var workspace: Workspace
    public var loaded: LoadedConfiguration
    public var automation: Automation
    /// Where the history is, if one is kept.
    public var history: FilePath
    /// What people were told and still should know.
    var banners: @Sendable () -> [String]
    /// Counts the configurations: what was seen or planned by one is nothing by which another acts.
    package var number = 0

    public init(
        workspace: Workspace, loaded: LoadedConfiguration, automation: Automation,
        history: FilePath, banners: @escaping @Sendable () -> [String] = { [] }
    ) {
        self.workspace = workspace
        self.loaded = loaded
        self.automation = automation
        self.history = history
        self.banners = banners
    }

    var configuration: ServiceConfiguration { loaded.configuration }

    /// The places in which nothing goes, though something is declared there: the declaration is new.
    func withheld() async -> Set<FilePath> { await automation.withheldPlaces() }
}
