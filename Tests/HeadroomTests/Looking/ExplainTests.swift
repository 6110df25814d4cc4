//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// R8 and R10: sizes, and the place in the order.
struct ExplainTests {
    private let fixture: StorageFixture

    init() throws { fixture = try StorageFixture() }

    @Test(.tags(.r10b)) func r10WhatIsMarkedAsLastResortGoesAfterAllCaches() throws {
        let storage = fixture.storage
        try storage.save(Data(count: 100_000), as: .cache, named: "thumbnail")
        try storage.save(Data(count: 50_000), as: .temporary, named: "part")
        let episode = try storage.save(
            Data(count: 200_000), as: .essential(.appData), named: "Episodes/1.mp3")
        #expect(try storage.explain(episode).purgeClass == .essential)
        #expect(try storage.explain(episode).place == nil)

        try storage.mark(episode, .lastResort)
        let explanation = try storage.explain(episode)
        #expect(explanation.purgeClass == .lastResort)
        #expect(explanation.classOrigin == .mark)
        #expect(explanation.outlook == .pressure(.critical))
        let place = try #require(explanation.place)
        #expect(place.position == 1)
        // All of the cache and of what is temporary.
        #expect(place.bytesBefore >= ByteCount(150_000))
        #expect(explanation.summary.hasPrefix("last resort, 1st of 1; would go after "))

        try storage.mark(episode, .pinned)
        guard case .never = try storage.explain(episode).outlook else {
            Issue.record("a pinned file would go")
            return
        }
    }

    /// What the system says is read on Apple's systems alone; shown it is everywhere.
    @Test(.tags(.r9g)) func r9TheSystemsOwnWordIsShownAndIsNoMark() throws {
        let file = try fixture.storage.save(Data(count: 1_000), as: .cache, named: "a")
        var explanation = try fixture.storage.explain(file)
        #if !canImport(Darwin)
        #expect(explanation.isPurgeableBySystem == nil)
        #endif
        explanation.isPurgeableBySystem = nil
        let silent = explanation.summary
        explanation.isPurgeableBySystem = false
        #expect(explanation.summary == silent)
        explanation.isPurgeableBySystem = true
        #expect(explanation.summary == silent + "; the system may purge it by itself")
        #expect(explanation.mark == (try fixture.storage.explain(file).mark))
    }

    @Test(.tags(.r8b)) func r8ASizeCountsBlocksAndEachFileOnce() throws {
        let tree = fixture.tree
        try tree.file("home/d/a", size: ByteCount(100_000))
        try tree.hardLink("home/d/b", to: "home/d/a")
        try tree.sparseFile("home/d/s", size: .gibibytes(1))
        let url = URL(filePath: tree.path("home/d").string)
        let size = try fixture.storage.size(of: url)
        let allocated =
            try tree.status(of: "home/d").allocatedSize
            + tree.status(of: "home/d/a").allocatedSize
            + tree.status(of: "home/d/s").allocatedSize
        #expect(size.allocated == allocated)
        #expect(size.logical == .gibibytes(1) + ByteCount(100_000))
        #expect(size.files == 3)
        let file = try fixture.storage.size(of: url.appending(path: "a"))
        #expect(file.logical == ByteCount(100_000))
        #expect(file.files == 1)
    }

    @Test func r8WhatIsNotThereIsAnError() {
        let error = #expect(throws: StorageError.self) {
            try fixture.storage.size(of: URL(filePath: "/no/such/thing"))
        }
        #expect(error?.code == .notFound)
        let other = #expect(throws: StorageError.self) {
            try fixture.storage.explain(URL(filePath: "/no/such/thing"))
        }
        #expect(other?.code == .notFound)
    }
}
