//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomApple
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import Synchronization
import Testing

struct ResponseCacheModuleTests {
    private final class Responses: ResponseCaching {
        private let bytes = Atomic<Int>(5_000_000)

        var diskUsage: Int { bytes.load(ordering: .relaxed) }
        func removeAll() { bytes.store(40_960, ordering: .relaxed) }
    }

    private func request(_ allowed: PurgeableClass) -> CleaningRequest {
        CleaningRequest(
            level: .warning, trigger: .levelChange, bytesWanted: .megabytes(1),
            allowedClass: allowed, deadline: .now + .seconds(30))
    }

    @Test func measuresByTheCachesOwnWord() async throws {
        let module = ResponseCacheModule(Responses(), id: "url-cache", quota: .megabytes(1))
        #expect(try await module.usage() == .megabytes(5))
        #expect(module.quota == .megabytes(1))
    }

    @Test(.tags(.r32f)) func spendsItOnlyAsCache() async throws {
        let module = ResponseCacheModule(Responses(), id: "url-cache", quota: nil)
        try await module.clean(request(.temporary))
        #expect(try await module.usage() == .megabytes(5))
        try await module.clean(request(.cache))
        // The database itself stays.
        #expect(try await module.usage() == ByteCount(40_960))
    }
}
