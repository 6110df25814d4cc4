//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

struct PowerSupplyTests {
    private struct Supply: Sendable {
        var type: String
        var online: String?
        var status: String?
        var scope: String?
    }

    private func isOnBattery(_ supplies: [Supply]) throws -> Bool? {
        let directory = try TemporaryDirectory()
        for (index, supply) in supplies.enumerated() {
            let place = TreePath("supply\(index)")
            try directory.tree.directory(place)
            let files = [
                ("type", supply.type), ("online", supply.online), ("status", supply.status),
                ("scope", supply.scope),
            ]
            for case (let name, let text?) in files {
                try directory.tree.file(place / TreePath(name), text: text + "\n")
            }
        }
        return PowerSupply.isOnBattery(in: directory.path)
    }

    private static let mains = Supply(type: "Mains", online: "1")
    private static let unplugged = Supply(type: "Mains", online: "0")
    private static let full = Supply(type: "Battery", status: "Full")
    private static let discharging = Supply(type: "Battery", status: "Discharging")
    private static let mouse = Supply(type: "Battery", status: "Discharging", scope: "Device")

    @Test func tellsByWhatTheSystemShows() throws {
        #expect(try isOnBattery([]) == false)
        #expect(try isOnBattery([Self.mains, Self.full]) == false)
        #expect(try isOnBattery([Self.unplugged, Self.discharging]) == true)
        #expect(try isOnBattery([Self.discharging]) == true)
        #expect(try isOnBattery([Self.discharging, Self.mains]) == false, "charged too slowly")
        #expect(try isOnBattery([Self.mouse]) == false)
        #expect(try isOnBattery([Self.unplugged, Self.full]) == false)
    }

    @Test func noClassMeansNoBattery() throws {
        let directory = try TemporaryDirectory()
        #expect(PowerSupply.isOnBattery(in: directory.path.appending("missing")) == false)
    }
}
