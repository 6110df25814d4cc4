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

/// Whatever is done to a file shows; nothing that was not written is handed out.
struct TamperingTests {
    private let fixture: ProtectionFixture
    private static let size = 2_500
    private static let stride = 1_024 + 16
    private let content = ProtectionFixture.content(size)

    init() throws { fixture = try ProtectionFixture() }

    private enum Outcome: Equatable {
        case whole(needsRepair: Bool)
        case refused(ProtectionError.Code)
        case otherContent
    }

    private func outcome(_ path: FilePath) -> Outcome {
        do throws(ProtectionError) {
            let file = try ProtectedFile(path: path, keys: fixture.keys)
            let read = try file.read(at: 0, count: 10_000)
            return read == content ? .whole(needsRepair: file.needsRepair) : .otherContent
        } catch {
            return .refused(error.code)
        }
    }

    /// Of a file with three chunks. A damaged copy of the header is detected, and read past.
    @Test(.tags(.r36a), arguments: 0..<4)
    func everyBitIsGuarded(quarter: Int) throws {
        let path = try fixture.make("file", content)
        var bytes = [UInt8](try fixture.bytes(path))
        let name = try #require(path.lastComponent)
        let directory = try StateDirectory(opening: fixture.directory.path)
        let file = try RegularFile(name.string, in: directory, .writing)
        for place in bytes.indices where place % 4 == quarter {
            for bit in 0..<8 {
                bytes[place] ^= 1 << bit
                try file.write([bytes[place]], at: UInt64(place))
                let found = outcome(path)
                let expected =
                    place < ProtectionHeaderArea.size
                    ? Outcome.whole(needsRepair: true) : .refused(.damaged)
                if found != expected {
                    Issue.record("byte \(place) bit \(bit): \(found)")
                }
                bytes[place] ^= 1 << bit
            }
            try file.write([bytes[place]], at: UInt64(place))
        }
        #expect(outcome(path) == .whole(needsRepair: false))
    }

    @Test(.tags(.r36a)) func everyTruncationIsDetected() throws {
        let path = try fixture.make("file", content)
        let length = try fixture.bytes(path).count
        let directory = try StateDirectory(opening: fixture.directory.path)
        let file = try RegularFile("file", in: directory, .writing)
        for shorter in (0..<length).reversed() {
            try file.truncate(UInt64(shorter))
            let found = outcome(path)
            // Without a header it is any file.
            let expected: ProtectionError.Code = shorter < 8 ? .notProtected : .damaged
            if found != .refused(expected) { Issue.record("\(shorter) bytes: \(found)") }
        }
    }

    @Test func everyExtensionIsDetected() throws {
        let path = try fixture.make("file", content)
        let whole = try fixture.bytes(path)
        for more in [1, 15, 16, 17, 500, 1_024, 1_040, 1_041, 4_096] {
            try fixture.write(whole + Data(count: more), to: "file")
            #expect(outcome(path) == .refused(.damaged), "\(more) bytes more")
        }
        // Its own chunks once more.
        try fixture.write(whole + whole.dropFirst(8_192), to: "file")
        #expect(outcome(path) == .refused(.damaged))
    }

    private func chunk(_ number: Int, of file: Data) -> Data {
        file.dropFirst(8_192 + number * Self.stride).prefix(Self.stride)
    }

    @Test func reorderedChunksAreDetected() throws {
        let path = try fixture.make("file", content)
        let whole = try fixture.bytes(path)
        let orders = [
            [1, 0, 2], [0, 0, 2], [1, 1, 2], [2, 1, 0], [0, 2], [1, 2], [2], [0, 1],
        ]
        for order in orders {
            let file = order.reduce(Data(whole.prefix(8_192))) { $0 + chunk($1, of: whole) }
            try fixture.write(file, to: "file")
            #expect(outcome(path) == .refused(.damaged), "\(order)")
        }
    }

    @Test func chunksOfAnotherFileAreDetected() throws {
        let path = try fixture.make("file", content)
        let other = try fixture.bytes(try fixture.make("other", content))
        let whole = try fixture.bytes(path)
        for number in 0..<3 {
            var mixed = whole
            mixed.replaceSubrange(
                8_192 + number * Self.stride..<8_192 + number * Self.stride
                    + chunk(number, of: whole).count, with: chunk(number, of: other))
            try fixture.write(mixed, to: "file")
            #expect(outcome(path) == .refused(.damaged), "chunk \(number)")
        }
        // And the header of another.
        try fixture.write(other.prefix(8_192) + whole.dropFirst(8_192), to: "file")
        #expect(outcome(path) == .refused(.damaged))
    }

    /// Who can work out a checksum still has no code.
    @Test func alteredAndMadeWholeHeadersAreRefused() throws {
        let path = try fixture.make("file", content)
        let whole = [UInt8](try fixture.bytes(path))
        for place in 8..<160 {
            var altered = whole
            for slot in [0, 4_096] {
                altered[slot + place] ^= 1
                let checked = Array(altered[slot..<slot + 4_092])
                var checksum = CRC32C()
                unsafe checksum.update(checked.span.bytes)
                for byte in 0..<4 {
                    altered[slot + 4_092 + byte] = UInt8(
                        truncatingIfNeeded: checksum.value >> (8 * byte))
                }
            }
            try fixture.write(Data(altered), to: "file")
            let found = outcome(path)
            let allowed: [ProtectionError.Code] = [.damaged, .unsupported, .otherKeyBag, .locked]
            #expect(allowed.contains { found == .refused($0) }, "byte \(place): \(found)")
        }
    }

    @Test(arguments: 1...3)
    func mutatedHeadersAreReadOrRefused(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let path = try fixture.make("file", content)
        let whole = [UInt8](try fixture.bytes(path).prefix(ProtectionHeaderArea.size))
        for _ in 0..<500 {
            var mutated = whole
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                let place = Int.random(in: 0..<mutated.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: mutated[place] = .random(in: 0...255, using: &generator)
                case 1: mutated.removeSubrange(place...)
                default: mutated.insert(contentsOf: mutated.prefix(place), at: 0)
                }
                if mutated.isEmpty { break }
            }
            guard let area = try? ProtectionHeaderArea(decoding: mutated) else { continue }
            // What was decoded is what stands there.
            for (number, slot) in area.slots.enumerated() {
                guard let slot else { continue }
                #expect(
                    slot.encoded == Array(mutated[number * 4_096..<(number + 1) * 4_096]),
                    "seed \(seed)")
            }
        }
    }
}
#endif
