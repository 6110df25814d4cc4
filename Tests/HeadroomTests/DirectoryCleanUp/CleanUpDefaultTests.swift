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

/// R21: what holds where nothing is said, at its bounds.
@Suite(
    "R21: clean-up without settings",
    .enabled(if: Privilege.canMount, "needs root to mount a volume"))
struct CleanUpDefaultTests {
    private let fixture: StorageFixture
    private let place: TreePath = "home/.cache/Podcaster/Thumbnails"
    private var url: URL { URL(filePath: fixture.tree.path(place).string) }

    init() throws {
        fixture = try StorageFixture(volume: .mebibytes(640))
    }

    /// So many files of a size, the first of which was used first, all of them today.
    private func files(_ count: Int, _ size: ByteCount) throws {
        let now = Timestamp.wallClock()
        for number in 0..<count {
            let path = place / TreePath("\(100 + number)")
            try fixture.tree.allocatedFile(path, size: size)
            let time = now.advanced(by: .seconds(Int64(number - count)))
            try fixture.tree.setTimes(of: path, accessed: time, modified: time)
        }
    }

    @Test(.tags(.r21e)) func upTo500MebibytesStay() throws {
        try files(5, .mebibytes(100))
        let untouched = try fixture.storage.cleanUp(url)
        #expect(untouched.freed == .zero)
        #expect(try fixture.names(place).count == 5)

        try fixture.tree.allocatedFile(place / "last", size: ByteCount(4096))
        let report = try fixture.storage.cleanUp(url)
        #expect(report.freed == .mebibytes(100))
        // All were made now, but what was read or written last counts.
        #expect(try fixture.names(place).count == 5)
        #expect(try fixture.names(place).contains("last"))
    }

    /// Megabytes: 200 of them are to stay free, and 100 in the directory.
    @Test(.tags(.r21e)) func aReserveOf200MegabytesATargetOf100() throws {
        try files(60, .mebibytes(4))
        try fixture.storage.makeRoom(for: .zero, intent: .essential).finish()
        let free = try #require(
            try fixture.storage.capacity(countingPurgeable: false).available.bytes)
        let bound = free - .megabytes(200)
        let some = ByteCount.mebibytes(2)
        #expect(try fixture.storage.cleanUp(url, beforeAdding: bound - some) == nil)
        #expect(try fixture.names(place).count == 60)

        let report = try #require(try fixture.storage.cleanUp(url, beforeAdding: bound + some))
        // 23 files of 4 MiB are 96.5 MB, and 24 would be 100.7.
        #expect(try fixture.names(place).count == 23)
        #expect(report.freed == .mebibytes(37 * 4))
    }
}
