//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import HeadroomPromises
import HeadroomEngine
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

struct ProtectedFileTests {
    private let fixture: ProtectionFixture

    init() throws { fixture = try ProtectionFixture() }

    @Test(arguments: [0, 1, 776, 777, 1_023, 1_024, 1_025, 2_048, 3_072, 10_000, 65_536])
    func readsWhatWasWritten(size: Int) throws {
        let content = ProtectionFixture.content(size)
        for level in ClassKeys.levels {
            let path = try fixture.make("file", content, level: level)
            let file = try ProtectedFile(path: path, keys: fixture.keys)
            #expect(file.size == size)
            #expect(file.level == level)
            #expect(!file.needsRepair)
            #expect(try file.read(at: 0, count: size) == content)
            var pieces = Data()
            try file.readPieces { pieces.append($0) }
            #expect(pieces == content)
            // Known without a key.
            #expect(Protection.of(path) == .level(level))
            #expect(
                ProtectionHeaderArea.contentSize(
                    ofFile: Int64(try fixture.bytes(path).count), chunkSize: 1_024) == Int64(size))
        }
    }

    @Test func nothingOfTheContentIsInTheFile() throws {
        let content = Data(repeating: 0x41, count: 5_000)
        let path = try fixture.make("file", content)
        #expect(try fixture.bytes(path).firstRange(of: Data(repeating: 0x41, count: 8)) == nil)
        // Nor are two files of the same content alike.
        let other = try fixture.make("other", content)
        #expect(
            try fixture.bytes(path).dropFirst(8_192) != fixture.bytes(other).dropFirst(8_192))
    }

    /// Whoever has the key of one file has that of no other: wrapped twice, the same key would look the same.
    @Test(.tags(.r36a)) func eachFileHasAKeyOfItsOwn() throws {
        let wrapped = try ["a", "b", "c"].map { name in
            let path = try fixture.make(name, ProtectionFixture.content(100))
            return try ProtectionHeaderArea(decoding: Array(fixture.bytes(path))).current.wrappedKey
        }
        #expect(Set(wrapped).count == 3)
    }

    @Test(.tags(.r36a), arguments: 1...3)
    func readsAnyPart(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let content = ProtectionFixture.content(7_000)
        let file = try ProtectedFile(path: try fixture.make("file", content), keys: fixture.keys)
        for _ in 0..<500 {
            let offset = Int.random(in: 0...8_000, using: &generator)
            let count = Int.random(in: 0...3_000, using: &generator)
            #expect(
                try file.read(at: Int64(offset), count: count)
                    == Data(content.dropFirst(offset).prefix(count)), "seed \(seed)")
        }
        #expect(try file.read(at: .max, count: .max) == Data())
        #expect(try file.read(at: 6_999, count: .max) == content.suffix(1))
        #expect(ProtectionFixture.code { _ = try file.read(at: -1, count: 1) } == .invalid)
        #expect(ProtectionFixture.code { _ = try file.read(at: 0, count: -1) } == .invalid)
        #expect(ProtectionFixture.code { try file.readPieces(at: -1) { _ in } } == .invalid)
    }

    @Test func piecesAreOfTheRangeAlone() throws {
        let content = ProtectionFixture.content(7_000)
        let file = try ProtectedFile(path: try fixture.make("file", content), keys: fixture.keys)
        var pieces = Data()
        try file.readPieces(at: 1_000, count: 3_333) { pieces.append($0) }
        #expect(pieces == content[1_000..<4_333])
        struct Stop: Error {}
        #expect(throws: Stop.self) { try file.readPieces { _ in throw Stop() } }
    }

    @Test func plainFilesAreToldFromDamagedOnes() throws {
        try fixture.write(Data("plain".utf8), to: "plain")
        try fixture.write(Data(count: 20_000), to: "zeros")
        try fixture.write(Data(), to: "empty")
        for name in ["plain", "zeros", "empty"] {
            let code = ProtectionFixture.code { _ = try fixture.content(fixture.path(name)) }
            #expect(code == .notProtected)
            #expect(Protection.of(fixture.path(name)) == .level(.none))
        }
        #expect(Protection.of(fixture.directory.path) == .level(.none))
        #expect(Protection.of(fixture.path("missing")) == .unknown)
        #expect(ProtectionFixture.code { _ = try fixture.content(fixture.path("missing")) } == .io)
    }

    @Test func anotherBagsFileIsNoDamage() throws {
        let other = try ProtectionFixture()
        let path = try other.make("file", ProtectionFixture.content(10))
        #expect(ProtectionFixture.code { _ = try fixture.content(path) } == .otherKeyBag)
    }

    @Test func aLaterVersionIsNoDamage() throws {
        let path = try fixture.make("file", ProtectionFixture.content(10))
        var bytes = [UInt8](try fixture.bytes(path))
        for slot in [0, 4_096] {
            bytes[slot + 8] = 2
            var checksum = CRC32C()
            let checked = Array(bytes[slot..<slot + 4_092])
            unsafe checksum.update(checked.span.bytes)
            for place in 0..<4 {
                bytes[slot + 4_092 + place] = UInt8(
                    truncatingIfNeeded: checksum.value >> (8 * place))
            }
        }
        try fixture.write(Data(bytes), to: "file")
        #expect(ProtectionFixture.code { _ = try fixture.content(path) } == .unsupported)
        #expect(Protection.of(path) == .unknown)
    }
}
#endif
