//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
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

/// R5 and R6: what there is room for, asked before anything is written.
@Suite(.enabled(if: Privilege.canMount, "needs root to mount a small volume"))
struct RoomTests {
    private let fixture: StorageFixture
    private let mebibyte = 1 << 20

    init() throws {
        fixture = try StorageFixture(volume: .mebibytes(64))
    }

    @Test(.tags(.r5b)) func r5EachFigureHasItsSource() throws {
        try fixture.storage.save(Data.pattern(8 * mebibyte), as: .cache, named: "a")
        try fixture.storage.save(Data.pattern(4 * mebibyte), as: .temporary, named: "b")
        let capacity = try fixture.storage.capacity()
        let available = try #require(capacity.available.bytes)
        #expect(capacity.total.bytes == .mebibytes(64))
        #expect(capacity.available.provenance == .system)
        #expect(capacity.forImportantUsage.bytes == available + .mebibytes(12))
        #expect(capacity.forImportantUsage.provenance == .computed)
        // Less the warning reserve, and of what may go only what is temporary.
        let reserve = ByteCount((64 << 20) / 10)
        #expect(capacity.forOpportunisticUsage.bytes == available + .mebibytes(4) - reserve)
    }

    @Test(.tags(.r5a)) func r5TheFiguresAreThoseOfTheVolumeOfAnyPath() throws {
        try fixture.storage.save(Data.pattern(8 * mebibyte), as: .cache, named: "a")
        let here = URL(filePath: fixture.base.path.appending("not/there/yet").string)
        let own = try fixture.storage.capacity(at: here)
        #expect(own.total.bytes == .mebibytes(64))
        let available = try #require(own.available.bytes)
        #expect(own.forImportantUsage.bytes == available + .mebibytes(8))
        // What may go lies on the other volume and counts for nothing on this.
        let elsewhere = try MountedImage.tmpfs(size: .mebibytes(16))
        let other = try fixture.storage.capacity(at: URL(filePath: elsewhere.path.string))
        #expect(other.total.bytes == .mebibytes(16))
        #expect(other.forImportantUsage.bytes == other.available.bytes)
    }

    @Test(.tags(.r6a)) func r6AdviceTellsWhatItWouldTake() throws {
        try fixture.storage.save(Data.pattern(30 * mebibyte), as: .cache, named: "a")
        let storage = fixture.storage
        #expect(try storage.advise(.mebibytes(1), for: .requested).verdict == .fits)
        let tight = try storage.advise(.mebibytes(40), for: .requested)
        #expect(tight.verdict == .fitsAfterFreeing(.mebibytes(30)))
        #expect(tight.mayProceed)
        #expect(tight.directory == storage.directory(for: .lastResort))
        // Optional may not spend live caches.
        let optional = try storage.advise(.mebibytes(40), for: .optional)
        guard case .doesNotFit(let shortBy) = optional.verdict else {
            Issue.record("\(optional)")
            return
        }
        #expect(shortBy > .mebibytes(6))
        #expect(!optional.mayProceed)
        // Advice deletes nothing.
        #expect(try fixture.names("home/.cache/Podcaster") == ["a"])
    }

    @Test(.tags(.r6b)) func r6WhatIsEssentialIsNeverHeldBack() throws {
        let advice = try fixture.storage.advise(.gigabytes(1), for: .essential)
        guard case .doesNotFit = advice.verdict else {
            Issue.record("\(advice)")
            return
        }
        #expect(advice.mayProceed)
    }
}
