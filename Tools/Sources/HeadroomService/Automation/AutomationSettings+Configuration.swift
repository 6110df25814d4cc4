//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
public import HeadroomConfiguration

extension AutomationSettings {
    /// What a configuration says.
    ///
    /// - Parameters:
    ///   - version: the program's.
    ///   - requester: who asks, for receipts.
    ///   - environment: of the service; modules get what a command needs of it.
    public init(
        _ configuration: ServiceConfiguration, version: String, requester: String,
        environment: [String: String]
    ) {
        self.init()
        mode = configuration.mode
        grace = configuration.grace
        policy = configuration.policy
        areas = configuration.areas
        volumes = configuration.volumes
        let handedOn = environment.filter { Self.handedOn.contains($0.key) }
        let sameName = Dictionary(grouping: configuration.modules, by: \.name)
        modules = configuration.modules.map { (module) -> any StorageModule in
            // A name that two have would not tell a person which is asked, or which has failed.
            let isShared = (sameName[module.name]?.count ?? 0) > 1 && module.name != module.id
            let name = isShared ? "\(module.name) (\(module.id))" : module.name
            return CommandModule(
                id: module.id, name: name, quota: module.quota,
                timeLimit: module.timeLimit, usage: module.usage, clean: module.clean,
                owner: module.owner, environment: handedOn)
        }
        self.version = version
        self.requester = requester
    }

    /// The variables that commands of modules have; secrets may be in others.
    private static let handedOn: Set<String> = [
        "HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "TMPDIR", "TZ", "USER", "XDG_CACHE_HOME",
        "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
    ]
}
