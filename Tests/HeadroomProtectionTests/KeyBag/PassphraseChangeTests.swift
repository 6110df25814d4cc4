//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import HeadroomPromises
import HeadroomProtection
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct PassphraseChangeTests {
    private let fixture: ProtectionFixture

    init() throws { fixture = try ProtectionFixture() }

    private func opens(_ words: String) throws -> Bool {
        do {
            try fixture.reopened().unlock(try Passphrase(words))
            return true
        } catch let error as ProtectionError where error.code == .wrongPassphrase {
            return false
        }
    }

    @Test(.tags(.r36b)) func onlyTheNewOneWorksAndFilesStay() throws {
        let path = try fixture.make("file", ProtectionFixture.content(3_000))
        let before = try fixture.bytes(path)
        try fixture.keys.changePassphrase(
            from: try Passphrase(ProtectionFixture.words), to: try Passphrase("battery staple"),
            parameters: ProtectionFixture.cheap)
        #expect(try fixture.bytes(path) == before)
        #expect(try !opens(ProtectionFixture.words))
        let bag = try fixture.reopened()
        try bag.unlock(try Passphrase("battery staple"))
        #expect(try fixture.content(path, keys: bag) == ProtectionFixture.content(3_000))
        // What was unlocked stays so.
        #expect(try fixture.content(path) == ProtectionFixture.content(3_000))
    }

    @Test func theOldOneIsNeeded() throws {
        let before = try fixture.bytes(fixture.bagPath)
        let code = ProtectionFixture.code {
            try fixture.keys.changePassphrase(
                from: try Passphrase("no"), to: try Passphrase("new"),
                parameters: ProtectionFixture.cheap)
        }
        #expect(code == .wrongPassphrase)
        #expect(try fixture.bytes(fixture.bagPath) == before)
    }

    /// The copy of before must not bring the old passphrase back.
    @Test func aStaleCopyDoesNotOpen() throws {
        let old = try fixture.bytes(fixture.copyPath)
        try fixture.keys.changePassphrase(
            from: try Passphrase(ProtectionFixture.words), to: try Passphrase("new"),
            parameters: ProtectionFixture.cheap)
        try fixture.write(old, to: "state/protection.keys.copy")
        #expect(try !opens(ProtectionFixture.words))
        #expect(try fixture.bytes(fixture.copyPath) == old)
        #expect(try opens("new"))
        #expect(try fixture.bytes(fixture.copyPath) == fixture.bytes(fixture.bagPath))
    }

    /// Step 10 is after the last.
    @Test(.tags(.r36b), arguments: 0...10)
    func killedAtAnyStepOneOfTheTwoWorks(step: Int) throws {
        let path = try fixture.make("file", ProtectionFixture.content(3_000))
        let driver = try #require(BuiltProgram.path("ProtectionDriver"))
        let result = try ChildProcess.run(
            driver,
            ["passphrase", fixture.state.string, ProtectionFixture.words, "new", String(step)])
        #expect(result.signal == 9)
        let works = try [ProtectionFixture.words, "new"].filter { try opens($0) }
        // From the first rename on it is the new one.
        #expect(works == [step < 4 ? ProtectionFixture.words : "new"])
        let bag = try fixture.reopened()
        try bag.unlock(try Passphrase(try #require(works.first)))
        #expect(try fixture.content(path, keys: bag) == ProtectionFixture.content(3_000))
        #expect(try fixture.bytes(fixture.copyPath) == fixture.bytes(fixture.bagPath))
    }
}
#endif
