//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage
import Testing

private let hasKeyring: Bool = {
    do {
        _ = try KernelKeyring.secret(named: "headroom-test:none", count: 1)
        return true
    } catch {
        return false
    }
}()

@Suite(.enabled(if: hasKeyring, "the kernel lets us have no keyring"))
struct KernelKeyringTests {
    private let name = "headroom-test:\(UInt64.random(in: 0 ... .max))"

    private func secret(_ bytes: [UInt8]) throws -> SecretBytes {
        unsafe try SecretBytes(count: bytes.count) { unsafe $0.copyBytes(from: bytes) }
    }

    private func stored(_ count: Int = 3) throws -> [UInt8]? {
        try KernelKeyring.secret(named: name, count: count).map { secret in
            unsafe secret.withBytes { unsafe Array($0) }
        }
    }

    @Test func keepsAndForgets() throws {
        #expect(try stored() == nil)
        try KernelKeyring.store(try secret([1, 2, 3]), named: name, lifetime: nil)
        #expect(try stored() == [1, 2, 3])
        try KernelKeyring.store(try secret([4, 5, 6]), named: name, lifetime: .seconds(600))
        #expect(try stored() == [4, 5, 6])
        try KernelKeyring.renew(name, lifetime: .seconds(900))
        #expect(try stored() == [4, 5, 6])
        // Of another length it is not ours.
        #expect(try stored(2) == nil)
        #expect(try stored(4) == nil)
        #expect(try KernelKeyring.remove(name))
        #expect(try stored() == nil)
        #expect(try !KernelKeyring.remove(name))
        try KernelKeyring.renew(name, lifetime: .seconds(900))
        #expect(try stored() == nil)
    }
}
