//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import Crypto
import HeadroomPlatform
import HeadroomProtection
import HeadroomTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Files so long that several threads make and read them.
struct LongFileTests {
    private let fixture: ProtectionFixture
    private static let fileID = [UInt8](repeating: 9, count: 16)
    /// Longer than the threshold, and no whole number of anything.
    private static let size = 5_000_003

    init() throws { fixture = try ProtectionFixture() }

    private func sealer(_ exponent: UInt8) throws -> ContentSealer {
        let keys = FileKeys(
            SymmetricKey(data: [UInt8](repeating: 5, count: 32)), fileID: Self.fileID)
        return ContentSealer(
            keys,
            try keys.header(
                FileKeys.Plan(level: .complete, chunkExponent: exponent, fileID: Self.fileID),
                fixture.keys))
    }

    private func whole(_ content: Data, _ exponent: UInt8) throws -> Data {
        var sealer = try sealer(exponent)
        var file = sealer.beginning
        try sealer.sealWhole(content) { file.append($0) }
        return file
    }

    /// 64 KiB × 64 ends with a chunk; 10 has thousands of chunks, 20 has few.
    @Test(
        arguments: [
            (0, 16), (size, 16), (1 << 22, 16), ((1 << 22) + 1, 16), (size, 10), (size, 20),
        ] as [(Int, UInt8)])
    func isByteByByteWhatOneThreadMakes(size: Int, exponent: UInt8) throws {
        let content = ProtectionFixture.content(size)
        var sealer = try sealer(exponent)
        var file = sealer.beginning
        try sealer.append(content) { file.append($0) }
        try sealer.finish { file.append($0) }
        #expect(try whole(content, exponent) == file)
        try fixture.write(file, to: "file")
        #expect(try fixture.content(fixture.path("file")) == content)
    }

    @Test(arguments: [(0, Int.max), (1, size - 2), (70_000, 4_500_000), (65_536, 4_400_000)])
    func partsAreReadInOrder(offset: Int, count: Int) throws {
        let content = ProtectionFixture.content(Self.size)
        try fixture.write(try whole(content, 16), to: "file")
        let file = try ProtectedFile(path: fixture.path("file"), keys: fixture.keys)
        let expected = content.dropFirst(offset).prefix(count)
        var found = Data()
        try file.readPieces(at: Int64(offset), count: Int64(count)) { found.append($0) }
        #expect(found == expected)
        #expect(try file.read(at: Int64(offset), count: count) == expected)
    }

    /// Up to the change all is handed out, and nothing from there on.
    @Test func whatFollowsAChangeIsNotHandedOut() throws {
        let content = ProtectionFixture.content(Self.size)
        var bytes = try whole(content, 16)
        // In the 41st chunk.
        bytes[8_192 + 40 * 65_552 + 17] ^= 1
        try fixture.write(bytes, to: "file")
        let file = try ProtectedFile(path: fixture.path("file"), keys: fixture.keys)
        var found = Data()
        let code = ProtectionFixture.code { try file.readPieces { found.append($0) } }
        #expect(code == .damaged)
        #expect(found.count <= 40 * 65_536)
        #expect(content.starts(with: found))
        #expect(
            ProtectionFixture.code { _ = try file.read(at: 0, count: Self.size) } == .damaged)
    }

    @Test func lockingEndsReading() throws {
        try fixture.write(try whole(ProtectionFixture.content(Self.size), 16), to: "file")
        let file = try ProtectedFile(path: fixture.path("file"), keys: fixture.keys)
        var pieces = 0
        let code = ProtectionFixture.code {
            try file.readPieces { _ in
                pieces += 1
                if pieces == 5 { fixture.keys.lock() }
            }
        }
        #expect(code == .locked)
        // What had been decrypted together.
        #expect(pieces <= 8)
    }
}
#endif
