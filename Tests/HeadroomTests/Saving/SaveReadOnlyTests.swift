//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Headroom
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("R46: a home on a read-only volume", .enabled(if: Privilege.canMount, "needs root to mount"))
struct SaveReadOnlyTests {
    @Test(
        "A save says that the volume is read-only, a size is told, and an absent file is not found",
        .tags(.r46b))
    func distinguishesReadOnlyVolume() throws {
        let fixture = try StorageFixture()
        let saved = try fixture.storage.save(Data([1]), as: .lastResort, named: "a")
        // The ledger beside it has files open, and can still be written.
        let home = fixture.base.path.appending("home")
        let mounted = try MountedImage.bind(home, at: home)
        try mounted.remount("bind,ro")
        defer { withExtendedLifetime(mounted) {} }
        let storage = try fixture.anotherProcess()
        let error = #expect(throws: StorageError.self) {
            try storage.save(Data([2]), as: .lastResort, named: "b")
        }
        #expect(error?.code == .readOnly)
        #expect(error?.cause == .readOnlyFileSystem)
        #expect(try storage.size(of: saved).files == 1)
        let absent = #expect(throws: StorageError.self) {
            try storage.size(of: saved.appending(path: "c"))
        }
        #expect(absent?.code != .readOnly)
    }
}
#endif
