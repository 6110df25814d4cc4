//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

struct SecretBytesTests {
    private static func bytes(of secret: SecretBytes) -> [UInt8] {
        unsafe secret.withBytes { unsafe Array($0) }
    }

    @Test(arguments: [0, 1, 32, 4_096, 5_000])
    func holdsWhatItWasGiven(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 3) }
        let secret = unsafe try SecretBytes(count: count) { unsafe $0.copyBytes(from: bytes) }
        #expect(secret.count == count)
        #expect(Self.bytes(of: secret) == bytes)
        let copy = unsafe try secret.withBytes { (bytes) throws(Errno) in
            unsafe try SecretBytes(bytes)
        }
        #expect(Self.bytes(of: copy) == bytes)
    }

    @Test func whatFailsToFillIsNotMade() {
        func make() throws(Errno) -> SecretBytes {
            try unsafe SecretBytes(count: 32) { (_) throws(Errno) in throw .ioError }
        }
        #expect(throws: Errno.ioError) { _ = try make() }
    }

    @Test func beginsWithZeros() throws {
        let secret = unsafe try SecretBytes(count: 64) { _ in }
        #expect(Self.bytes(of: secret) == [UInt8](repeating: 0, count: 64))
    }

    /// - Returns: the page of a secret that is gone by then.
    private static func pageOfSecret(of count: Int) throws -> UInt {
        let bytes = [UInt8](repeating: 0xA5, count: count)
        let secret = unsafe try SecretBytes(count: count) { unsafe $0.copyBytes(from: bytes) }
        let page = WipedPages.watch(secret)
        #expect(WipedPages.fate(of: page) == .kept)
        withExtendedLifetime(secret) {}
        return page
    }

    /// All of its pages, also where the last is not full.
    @Test(.tags(.r36f), arguments: [1, 32, 4_096, 5_000, 70_000])
    func isWipedWhenTheLastReferenceGoes(count: Int) throws {
        let page = try Self.pageOfSecret(of: count)
        #expect(WipedPages.fate(of: page) == .wiped)
    }
}
