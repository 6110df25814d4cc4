//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import Testing

struct ProtectionHeaderTests {
    private func header(
        _ level: ProtectionLevel = .complete, generation: UInt64 = 1
    ) -> ProtectionHeader {
        ProtectionHeader(
            level: level, chunkExponent: 16, generation: generation,
            fileID: Array(1...16), bagID: Array(17...32), ephemeralKey: Array(33...64),
            wrappedKey: Array(65...104), code: Array(105...136))
    }

    private func area(_ first: ProtectionHeader, _ second: ProtectionHeader) -> [UInt8] {
        first.encoded + second.encoded
    }

    @Test func readsWhatItWrites() throws {
        for level in ProtectionLevel.allCases where level != .none {
            let header = header(level, generation: .max)
            let bytes = header.encoded
            #expect(bytes.count == 4_096)
            #expect(try ProtectionHeader(decoding: bytes[...]) == header)
            #expect(header.authenticated == Array(bytes.prefix(128)))
        }
    }

    @Test func theLaterGenerationCounts() throws {
        let old = header(.complete)
        let new = header(.completeUnlessOpen, generation: 2)
        #expect(try ProtectionHeaderArea(decoding: area(old, new)).currentSlot == 1)
        #expect(try ProtectionHeaderArea(decoding: area(new, old)).currentSlot == 0)
        #expect(try ProtectionHeaderArea(decoding: area(old, old)).currentSlot == 0)
        #expect(try ProtectionHeaderArea(decoding: area(old, new)).current == new)
        #expect(try ProtectionHeaderArea(decoding: area(new, old)).current == new)
        #expect(try ProtectionHeaderArea(decoding: area(old, new)).needsRepair)
        #expect(try !ProtectionHeaderArea(decoding: area(old, old)).needsRepair)
    }

    @Test func noneIsNoLevelOfAHeader() {
        let bytes = header(.none).encoded
        #expect(throws: ProtectionHeader.Failure.unsupported) {
            try ProtectionHeader(decoding: bytes[...])
        }
    }

    @Test func tellsProtectionFromTheBeginning() {
        let whole = area(header(.completeUnlessOpen), header(.completeUnlessOpen))
        #expect(Protection.of(header: whole + [1, 2, 3]) == .level(.completeUnlessOpen))
        #expect(Protection.of(header: []) == .level(.none))
        #expect(Protection.of(header: [0x89, 0x48]) == .level(.none))
        // Cut off, it is not known; it is not nothing.
        #expect(Protection.of(header: Array(whole.prefix(5_000))) == .unknown)
        var damaged = whole
        damaged[0] ^= 0x10
        #expect(Protection.of(header: damaged) == .level(.completeUnlessOpen))
        damaged[4_096 + 500] ^= 1
        #expect(Protection.of(header: damaged) == .unknown)
    }

    @Test func aFileThatHoldsAProtectedOneIsNone() {
        let archive = Array("PK\u{3}\u{4}archive".utf8) + [UInt8](repeating: 7, count: 4_085)
        let bytes = Array(archive.prefix(4_096)) + header().encoded
        #expect(bytes.count == 8_192)
        #expect(Protection.of(header: bytes) == .level(.none))
    }

    @Test(
        arguments: [
            (8_192, nil), (8_207, nil), (8_208, 0), (8_209, 1), (9_231, 1_023), (9_232, 1_024),
            (9_233, nil), (9_248, nil), (9_249, 1_025), (10_272, 2_048), (0, nil), (-1, nil),
        ] as [(Int64, Int64?)])
    func lengthsThatNoFileHas(length: Int64, size: Int64?) {
        #expect(ProtectionHeaderArea.contentSize(ofFile: length, chunkSize: 1_024) == size)
        if let size {
            #expect(ProtectionHeaderArea.fileSize(ofContent: size, chunkSize: 1_024) == length)
        }
    }

    @Test func levelsHaveNames() {
        for level in ProtectionLevel.allCases {
            #expect(ProtectionLevel(name: level.name) == level)
            #expect(Protection.level(level).name == level.name)
        }
        #expect(ProtectionLevel(name: "Complete") == nil)
        #expect(Protection.unknown.name == "unknown")
    }
}
