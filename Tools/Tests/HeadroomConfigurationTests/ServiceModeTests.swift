//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
import Testing

struct ServiceModeTests {
    @Test func deletesByItselfInOneModeOnly() {
        #expect(ServiceMode.allCases.filter(\.deletesByItself) == [.act])
    }
}
