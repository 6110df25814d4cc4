//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// R10: what would go to free so much, in order.
struct PlanTests {
    private let fixture: StorageFixture

    init() throws {
        fixture = try StorageFixture()
    }

    @Test(.tags(.r10a)) func r10APlanSpendsLastResortLastAndOnlyIfAllowed() throws {
        let storage = fixture.storage
        try storage.save(Data.pattern(50_000), as: .cache, named: "thumbnail")
        try storage.save(Data.pattern(50_000), as: .lastResort, named: "episode.mp3")
        try storage.save(Data.pattern(10_000), as: .temporary, named: "scratch")
        try storage.save(Data.pattern(50_000), as: .essential(.appData), named: "library")
        let plan = try storage.plan(freeing: ByteCount(90_000))
        #expect(plan.reachesTarget)
        #expect(
            plan.map { $0.path.lastComponent?.string } == ["scratch", "thumbnail", "episode.mp3"])
        let spared = try storage.plan(freeing: ByteCount(90_000), through: .cache)
        #expect(!spared.reachesTarget)
        #expect(spared.count == 2)
        // Nothing has gone.
        #expect(try fixture.names("home/.cache/Podcaster") == ["thumbnail"])
    }
}
