//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomConfiguration
import HeadroomService
import Testing

/// What becomes of a configuration (R26).
struct AutomationSettingsTests {
    @Test func modulesOfOneNameAreToldApartByTheirIDs() {
        let declared: [(id: String, name: String?)] = [
            ("com.example.mail", "Mail"), ("org.example.mail", "Mail"),
            ("com.example.tiles", "Tiles"), ("com.example.plain", nil),
        ]
        var configuration = ServiceConfiguration()
        configuration.modules = declared.map {
            ModuleConfiguration(
                id: $0.id, name: $0.name, usage: ["/bin/true"], clean: ["/bin/true"])
        }
        let settings = AutomationSettings(
            configuration, version: "1", requester: "test", environment: [:])
        #expect(
            settings.modules.map { $0.displayName } == [
                "Mail (com.example.mail)", "Mail (org.example.mail)", "Tiles",
                "com.example.plain",
            ])
        #expect(settings.modules.map { $0.id } == declared.map { $0.id })
    }
}
