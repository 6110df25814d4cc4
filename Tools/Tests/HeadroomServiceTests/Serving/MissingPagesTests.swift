//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomDashboard
import HeadroomPromises
import Testing

struct MissingPagesTests {
    @Test(
        "Without its pages, says where they were looked for, and how to install them", .tags(.r38c))
    func saysHowToInstallThem() {
        let places = ["/no/such/resources", "/no/such/share"].map { URL(fileURLWithPath: $0) }
        let resources = DashboardResources.load(from: places)
        #expect(resources.files.isEmpty)
        let advice = resources.adviceWhereMissing
        #expect(advice.contains("looked for in /no/such/resources, /no/such/share."), "\(advice)")
        #expect(advice.contains("Install the package of Headroom"), "\(advice)")
    }
}
