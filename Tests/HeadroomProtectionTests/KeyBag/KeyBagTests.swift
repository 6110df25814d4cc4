//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
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

struct KeyBagTests {
    private let fixture: ProtectionFixture

    init() throws { fixture = try ProtectionFixture() }

    @Test func opensLockedAndUnlocks() throws {
        let path = try fixture.make("file", ProtectionFixture.content(100))
        let bag = try fixture.reopened()
        #expect(bag.readableLevels == [.none])
        #expect(bag.writableLevels == [.none, .completeUnlessOpen])
        #expect(ProtectionFixture.code { _ = try fixture.content(path, keys: bag) } == .locked)
        try bag.unlock(try Passphrase(ProtectionFixture.words))
        #expect(bag.readableLevels == Set(ProtectionLevel.allCases))
        #expect(try fixture.content(path, keys: bag) == ProtectionFixture.content(100))
    }

    @Test func tellsAWrongPassphraseAndLosesNothing() throws {
        let before = try fixture.bytes(fixture.bagPath)
        let bag = try fixture.reopened()
        let code = ProtectionFixture.code { try bag.unlock(try Passphrase("incorrect horse")) }
        #expect(code == .wrongPassphrase)
        #expect(bag.readableLevels == [.none])
        #expect(try fixture.bytes(fixture.bagPath) == before)
        try bag.unlock(try Passphrase(ProtectionFixture.words))
    }

    @Test func aWrongPassphraseLocksNobodyOut() throws {
        let path = try fixture.make("file", ProtectionFixture.content(100))
        #expect(
            ProtectionFixture.code { try fixture.keys.unlock(try Passphrase("no")) }
                == .wrongPassphrase)
        #expect(try fixture.content(path) == ProtectionFixture.content(100))
    }

    @Test func refusesUnusablePassphrases() {
        #expect(ProtectionFixture.code { _ = try Passphrase("") } == .invalid)
        let long = [UInt8](repeating: 65, count: Passphrase.longest + 1)
        #expect(ProtectionFixture.code { _ = try Passphrase(long) } == .invalid)
    }

    @Test func missingIsNotDamaged() throws {
        let code = ProtectionFixture.code { _ = try KeyBag(directory: fixture.path("nothing")) }
        #expect(code == .noKeyBag)
    }

    @Test func neverMakesABagInPlaceOfOne() throws {
        func create() -> ProtectionError.Code? {
            ProtectionFixture.code {
                _ = try KeyBag.create(
                    directory: fixture.state, passphrase: try Passphrase("new"),
                    parameters: ProtectionFixture.cheap)
            }
        }
        let before = try fixture.bytes(fixture.bagPath)
        #expect(create() == .keyBagExists)
        try fixture.write(Data("damaged".utf8), to: "state/protection.keys")
        try fixture.write(Data("damaged".utf8), to: "state/protection.keys.copy")
        #expect(create() == .keyBagExists)
        #expect(try fixture.bytes(fixture.bagPath) == Data("damaged".utf8))
        try FileManager.default.removeItem(atPath: fixture.bagPath.string)
        #expect(create() == .keyBagExists)
        try fixture.write(before, to: "state/protection.keys")
        try fixture.reopened().unlock(try Passphrase(ProtectionFixture.words))
    }

    @Test func damageOfBothIsAnErrorOfItsOwnAndChangesNothing() throws {
        let whole = try fixture.bytes(fixture.bagPath)
        for bit in 0..<whole.count * 8 {
            var damaged = whole
            damaged[bit / 8] ^= 1 << (bit % 8)
            try fixture.write(damaged, to: "state/protection.keys")
            try fixture.write(damaged, to: "state/protection.keys.copy")
            let code = ProtectionFixture.code { _ = try fixture.reopened() }
            #expect(code == .damagedKeyBag, "bit \(bit)")
            #expect(try fixture.bytes(fixture.bagPath) == damaged)
        }
    }

    @Test func everyLengthButItsOwnIsDamage() throws {
        let whole = try fixture.bytes(fixture.bagPath)
        for length in Array(0..<whole.count) + [whole.count + 1, whole.count + 4096] {
            let cut =
                length < whole.count
                ? whole.prefix(length)
                : whole + Data(count: length - whole.count)
            try fixture.write(cut, to: "state/protection.keys")
            try fixture.write(cut, to: "state/protection.keys.copy")
            let code = ProtectionFixture.code { _ = try fixture.reopened() }
            #expect(code == .damagedKeyBag, "\(length) bytes")
        }
    }

    @Test(arguments: [true, false])
    func oneDamagedCopyIsMendedByTheOther(isMain: Bool) throws {
        let whole = try fixture.bytes(fixture.bagPath)
        #expect(try fixture.bytes(fixture.copyPath) == whole)
        var damaged = whole
        damaged[200] ^= 4
        let name = isMain ? "state/protection.keys" : "state/protection.keys.copy"
        try fixture.write(damaged, to: name)
        let bag = try fixture.reopened()
        // Not before it was opened: what is whole may still not be the one.
        #expect(ProtectionFixture.code { try bag.unlock(try Passphrase("no")) } == .wrongPassphrase)
        #expect(try fixture.bytes(fixture.path(name)) == damaged)
        try bag.unlock(try Passphrase(ProtectionFixture.words))
        #expect(try fixture.bytes(fixture.path(name)) == whole)
    }

    /// What somebody alters who can work out a checksum opens nothing.
    @Test func alteredAndMadeWholeDoesNotOpen() throws {
        let whole = [UInt8](try fixture.bytes(fixture.bagPath))
        for place in stride(from: 8, to: KeyBagRecord.size - 4, by: 3) {
            var altered = Array(whole.dropLast(4))
            altered[place] ^= 0x10
            var checksum = CRC32C()
            unsafe checksum.update(altered.span.bytes)
            altered += (0..<4).map { UInt8(truncatingIfNeeded: checksum.value >> (8 * $0)) }
            try fixture.write(Data(altered), to: "state/protection.keys")
            try fixture.write(Data(altered), to: "state/protection.keys.copy")
            let code = ProtectionFixture.code {
                try fixture.reopened().unlock(try Passphrase(ProtectionFixture.words))
            }
            #expect(code == .wrongPassphrase || code == .unsupported, "byte \(place)")
        }
    }

    /// Else a bag from somebody else could take all memory, or days.
    @Test(arguments: [(11, 21), (11, 63), (11, 9), (12, 9), (15, 1), (16, 0), (16, 5), (19, 255)])
    func boundsAreCheckedBeforeMemoryIsTaken(place: Int, value: UInt8) throws {
        var altered = [UInt8](try fixture.bytes(fixture.bagPath)).dropLast(4)
        altered[place] = value
        let checked = Array(altered)
        var checksum = CRC32C()
        unsafe checksum.update(checked.span.bytes)
        let bytes = checked + (0..<4).map { UInt8(truncatingIfNeeded: checksum.value >> (8 * $0)) }
        #expect(throws: KeyBagRecord.Failure.unsupported) { try KeyBagRecord.decode(bytes) }
    }

    @Test func parametersHaveBounds() {
        #expect(ScryptParameters(exponent: 9) == nil)
        #expect(ScryptParameters(exponent: 21) == nil)
        #expect(ScryptParameters(exponent: 17, parallelism: 0) == nil)
        #expect(ScryptParameters(exponent: 17, parallelism: 5) == nil)
        #expect(ScryptParameters(exponent: 17) == .standard)
    }

    @Test func bagIsForItsOwnerAlone() throws {
        for path in [fixture.bagPath, fixture.copyPath] {
            let status = try RegularFile(opening: path).status()
            #expect(status.permissions == 0o600)
        }
    }

    @Test func anotherBagInItsPlaceIsNotTaken() throws {
        let other = try ProtectionFixture()
        let bag = try fixture.reopened()
        for name in ["protection.keys", "protection.keys.copy"] {
            try fixture.write(try other.bytes(other.state.appending(name)), to: "state/\(name)")
        }
        let code = ProtectionFixture.code {
            try bag.unlock(try Passphrase(ProtectionFixture.words))
        }
        #expect(code == .otherKeyBag)
    }

    /// Whatever is read is read or refused: no trap, no other outcome.
    @Test(arguments: 1...4)
    func mutatedBagsAreReadOrRefused(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let whole = [UInt8](try fixture.bytes(fixture.bagPath))
        for _ in 0..<2_000 {
            var mutated = whole
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                switch Int.random(in: 0..<4, using: &generator) {
                case 0 where !mutated.isEmpty:
                    mutated[.random(in: mutated.indices, using: &generator)] =
                        .random(in: 0...255, using: &generator)
                case 1: mutated = Array(mutated.prefix(.random(in: 0...300, using: &generator)))
                case 2: mutated += [.random(in: 0...255, using: &generator)]
                default: mutated.reverse()
                }
            }
            // Half of them pass the checksum, so that what is behind it is reached.
            if mutated.count == whole.count, Bool.random(using: &generator) {
                mutated.removeLast(4)
                var checksum = CRC32C()
                unsafe checksum.update(mutated.span.bytes)
                mutated += (0..<4).map { UInt8(truncatingIfNeeded: checksum.value >> (8 * $0)) }
            }
            guard let record = try? KeyBagRecord.decode(mutated) else { continue }
            #expect(record.encoded == mutated, "seed \(seed)")
        }
    }
}
#endif
