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

/// R7: what is in use cannot go, and something else has to.
@Suite("R7: room beside what is in use", .enabled(if: Privilege.canMount, "needs root to mount"))
struct RoomInUseTests {
    private let fixture: StorageFixture
    private let mebibyte = 1 << 20

    init() throws {
        fixture = try StorageFixture(volume: .mebibytes(64))
        try fixture.storage.makeRoom(for: .zero, intent: .essential).finish()
    }

    private func cache(_ name: String, mebibytes: Int, daysOld: Int64) throws -> FilePath {
        let url = try fixture.storage.save(
            Data(repeating: 1, count: mebibytes * mebibyte), as: .cache, named: name)
        try fixture.tree.age("home/.cache/Podcaster/\(name)", by: .seconds(daysOld * 86400))
        return FilePath(url.path)
    }

    @Test(.tags(.r7e)) func somethingElseGoesForIt() throws {
        let leased = try cache("leased", mebibytes: 20, daysOld: 9)
        _ = try cache("other", mebibytes: 20, daysOld: 1)
        let lease = try Lease.acquire(leased)
        let room = try fixture.storage.makeRoom(for: .mebibytes(30), intent: .essential)
        #expect(room.bytes == .mebibytes(30))
        #expect(try fixture.names("home/.cache/Podcaster") == ["leased"])
        lease.release()
    }

    @Test func onlyWhatIsInUseIsNotEnough() throws {
        let leased = try cache("leased", mebibytes: 40, daysOld: 9)
        let lease = try Lease.acquire(leased)
        let error = #expect(throws: StorageError.self) {
            try fixture.storage.makeRoom(for: .mebibytes(40), intent: .essential)
        }
        #expect(error?.code == .insufficientSpace)
        #expect(try fixture.names("home/.cache/Podcaster") == ["leased"])
        lease.release()
    }

    @Test func aSaveFindsSomethingElseToo() throws {
        let leased = try cache("leased", mebibytes: 20, daysOld: 9)
        _ = try cache("other", mebibytes: 20, daysOld: 1)
        let lease = try Lease.acquire(leased)
        let data = Data(repeating: 3, count: 30 * mebibyte)
        let url = try fixture.storage.save(data, as: .essential(.appData), named: "precious")
        #expect(try fixture.contents(url) == data)
        lease.release()
    }
}
