//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import HeadroomPromises
import Crypto
import HeadroomPlatform
import HeadroomProtection
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What another implementation has made of the same keys: `Vectors/make-vectors`, in Python.
struct VectorTests {
    private let directory: TemporaryDirectory
    private static let fileID = bytes(0x20, 16)
    private static let bagHex =
        "8948524b0d0a1a0a0100010a080000000100000000000000303132333435363738393a3b3c3d3e3f"
        + "c0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedf675dd574ed778931"
        + "0b3d2e7681f3790b466c773b1521fecf36577958371ea52f0100000000000000e0e1e2e3e4e5e6e7"
        + "e8e9eaeb8768ce5ce125182a55ff2447629855c97b85b20858e9b4157dce5c46012b9bd3fe6f111d"
        + "8f2ca374a6539f32289035cb77d9f8b82744626ce4ea2ea8756e4766eac67953dcd5de6cc3981b96"
        + "d33af28836e9f867ac285ba680fb11f5c96658cb9378c97f761bede1d5a52860f97b732b59d35ba5"
        + "812ee9ef32d509196b36d3220e988b37f8d3803c2ea0b2da12a8a700efd4e844"
    private static let headers: [ProtectionLevel: String] = [
        .complete:
            "894852500d0a1a0a010001010a0000000100000000000000202122232425262728292a2b2c2d2e2f"
            + "303132333435363738393a3b3c3d3e3f0000000000000000000000000000000000000000000000"
            + "0000000000000000009ba74ec0a3394a43baa95548a2d07bd4ac4f6ead62c4dd166837dcc58680"
            + "468653db29b899a7668dda96ec24fae81a4b6653be973bcc77f941e9b1a1f7b966da0fff597dfb"
            + "42a784",
        .completeUnlessOpen:
            "894852500d0a1a0a010002010a0000000100000000000000202122232425262728292a2b2c2d2e2f"
            + "303132333435363738393a3b3c3d3e3fd89e3bad79437dbed9f843418304f460ff05c7fe81fe4a"
            + "9577a804cb9367ff66c19e24bfb731c78952074bce0d5037074c87050b1ca660a9ff6fac46ff28"
            + "c15641006556fda37612049a66fd2b3937dd00c68011c596df4de52a54e31f0376355c35635869"
            + "da83e3",
    ]
    private static let digests: [ProtectionLevel: String] = [
        .complete: "98797222c1d56003f5955154002714100c076225a2bf9dc8b3fc16b7147afc5c",
        .completeUnlessOpen: "9275b4a99df2c83e610d1a5bb50796c1897e87e795ca420bac6fe531081decc1",
    ]

    init() throws { directory = try TemporaryDirectory(on: .memory) }

    private static func bytes(_ first: UInt8, _ count: UInt8) -> [UInt8] {
        (0..<count).map { first + $0 }
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func unhex(_ text: String) -> [UInt8] {
        let digits = Array(text)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
    }

    private func classKeys() throws -> ClassKeys {
        var secrets: [ProtectionLevel: SecretBytes] = [:]
        for (level, first) in zip(ClassKeys.levels, [0x40, 0x60, 0x80, 0xA0] as [UInt8]) {
            let key = Self.bytes(first, 32)
            secrets[level] = unsafe try SecretBytes(count: 32) { unsafe $0.copyBytes(from: key) }
        }
        return ClassKeys(secrets)
    }

    private func record(_ keys: ClassKeys) throws -> KeyBagRecord {
        KeyBagRecord(
            parameters: try #require(ScryptParameters(exponent: 10)), bagID: Self.bytes(0x30, 16),
            salt: Self.bytes(0xC0, 32), publicKey: try keys.publicKey(), generation: 1)
    }

    private func bag() throws -> KeyBag {
        let keys = try classKeys()
        return KeyBag(directory: directory.path, try record(keys), keys: keys)
    }

    @Test func keyBagIsAsDocumented() throws {
        let keys = try classKeys()
        var record = try record(keys)
        let key = try record.parameters.key(
            from: try Passphrase("correct horse battery staple"), salt: record.salt)
        try keys.seal(
            into: &record, with: key, nonce: try AES.GCM.Nonce(data: Self.bytes(0xE0, 12)))
        #expect(Self.hex(record.encoded) == Self.bagHex)
    }

    @Test func keyBagOfAnotherImplementationOpens() throws {
        let bytes = Data(Self.unhex(Self.bagHex))
        try bytes.write(to: URL(filePath: directory.path.appending("protection.keys").string))
        let bag = try KeyBag(directory: directory.path)
        try bag.unlock(try Passphrase("correct horse battery staple"))
        for (level, first) in zip(ClassKeys.levels, [0x40, 0x60, 0x80, 0xA0] as [UInt8]) {
            let secret = try #require(bag.secret(for: level))
            let found = unsafe secret.withBytes { unsafe Array($0) }
            #expect(found == Self.bytes(first, 32))
        }
    }

    @Test(.tags(.r36a), arguments: [ProtectionLevel.complete, .completeUnlessOpen])
    func fileIsAsDocumented(level: ProtectionLevel) throws {
        let bag = try bag()
        let keys = FileKeys(SymmetricKey(data: Self.bytes(0, 32)), fileID: Self.fileID)
        let header = try keys.header(
            FileKeys.Plan(level: level, chunkExponent: 10, fileID: Self.fileID), bag,
            ephemeral: try Curve25519.KeyAgreement.PrivateKey(
                rawRepresentation: Self.bytes(0x10, 32)))
        var sealer = ContentSealer(keys, header)
        var file = sealer.beginning
        try sealer.append(ProtectionFixture.content(2_500)) { file.append($0) }
        try sealer.finish { file.append($0) }
        #expect(file.count == 10_740)
        #expect(Self.hex(file.prefix(160)) == Self.headers[level])
        #expect(Self.hex(Crypto.SHA256.hash(data: file)) == Self.digests[level])
        let path = directory.path.appending("file")
        try file.write(to: URL(filePath: path.string))
        let opened = try ProtectedFile(path: path, keys: bag)
        #expect(try opened.read(at: 0, count: 3_000) == ProtectionFixture.content(2_500))
        #expect(!opened.needsRepair)
    }
}
#endif
