//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom
import OtherNames
import Testing

/// Imports Headroom and other modules in one file, as apps do.
@Suite
struct NameTests {
    @Test("Names that other modules use as well mean those modules")
    func namesOfOtherModules() {
        #expect(String(reflecting: Intent.self) == "OtherNames.Intent")
        #expect(String(reflecting: Layout.self) == "OtherNames.Layout")
        #expect(String(reflecting: Mark.self) == "OtherNames.Mark")
        #expect(String(reflecting: Plan.self) == "OtherNames.Plan")
        #expect(String(reflecting: Receipt.self) == "OtherNames.Receipt")
        #expect(String(reflecting: User.self) == "OtherNames.User")
        #expect(Scanner(string: "7").scanInt() == 7)
    }

    @Test("Headroom's types of these names are nested in Storage")
    func namesInStorage() {
        #expect(String(reflecting: Storage.Intent.self) == "HeadroomWorkspace.Intent")
        #expect(String(reflecting: Storage.Mark.self) == "HeadroomCore.Mark")
        #expect(String(reflecting: Storage.Plan.self) == "HeadroomPlanning.Plan")
        #expect(String(reflecting: Storage.Receipt.self) == "HeadroomCore.Receipt")
    }

    @Test("Exported types keep their operators")
    func operators() {
        var sum = ByteCount.megabytes(1) + .kilobytes(500)
        sum -= .kilobytes(300)
        #expect(sum == .kilobytes(1_200))
        #expect(sum < .megabytes(2))
    }
}
