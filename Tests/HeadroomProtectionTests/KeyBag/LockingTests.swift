//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import HeadroomPromises
import HeadroomPlatform
import HeadroomProtection
import HeadroomTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct LockingTests {
    private let fixture: ProtectionFixture
    private static let levels: [ProtectionLevel] = [
        .complete, .completeUnlessOpen, .completeUntilFirstUserAuthentication,
        .completeWhenUserInactive,
    ]

    init() throws { fixture = try ProtectionFixture() }

    private typealias Case = (reason: KeyBag.LockReason, ended: Set<ProtectionLevel>)

    private static let reasons: [Case] = [
        (.locked, [.complete, .completeUnlessOpen]),
        (.userInactive, [.complete, .completeUnlessOpen, .completeWhenUserInactive]),
        (.end, Set(levels)),
    ]

    @Test(.tags(.r36b), arguments: 0..<3)
    func eachReasonEndsItsLevels(number: Int) throws {
        let (reason, ended) = Self.reasons[number]
        let content = ProtectionFixture.content(2_500)
        for level in Self.levels { try fixture.make(level.name, content, level: level) }
        let open = try Self.levels.map {
            try ProtectedFile(path: fixture.path($0.name), keys: fixture.keys)
        }
        fixture.keys.lock(reason)
        #expect(
            fixture.keys.readableLevels == Set(ProtectionLevel.allCases).subtracting(ended))
        for file in open {
            let staysOpen = file.level == .completeUnlessOpen && reason != .end
            let code = ProtectionFixture.code {
                let read = try file.read(at: 1_000, count: 1_500)
                #expect(read == content.dropFirst(1_000))
            }
            #expect(code == (ended.contains(file.level) && !staysOpen ? .locked : nil))
            // Anew it is opened only if its level is not locked.
            let again = ProtectionFixture.code {
                _ = try ProtectedFile(path: file.path, keys: fixture.keys)
            }
            #expect(again == (ended.contains(file.level) ? .locked : nil), "\(file.level)")
        }
        try fixture.keys.unlock(try Passphrase(ProtectionFixture.words))
        for file in open { #expect(try file.read(at: 0, count: 9) == content.prefix(9)) }
    }

    /// Nobody keeps a key that has ended: its memory is given back at once, and wiped before.
    @Test(.tags(.r36f), arguments: 0..<3)
    func theKeysThatEndAreWiped(number: Int) throws {
        let (reason, ended) = Self.reasons[number]
        for level in Self.levels {
            try fixture.make(level.name, ProtectionFixture.content(100), level: level)
        }
        let keys = try fixture.reopened()
        try keys.unlock(try Passphrase(ProtectionFixture.words))
        let open = try Self.levels.map {
            try ProtectedFile(path: fixture.path($0.name), keys: keys)
        }
        for file in open { #expect(try file.read(at: 0, count: 100).count == 100) }
        let pages = Self.levels.compactMap { level in
            keys.secret(for: level).map { (level, WipedPages.watch($0)) }
        }
        #expect(pages.count == Self.levels.count)
        for (_, page) in pages { #expect(WipedPages.fate(of: page) == .kept) }
        keys.lock(reason)
        for (level, page) in pages {
            #expect(
                WipedPages.fate(of: page) == (ended.contains(level) ? .wiped : .kept), "\(level)")
        }
        withExtendedLifetime(open) {}
    }

    @Test(.tags(.r36c)) func whileLockedOnlyUnlessOpenIsWritten() throws {
        let bag = try fixture.reopened()
        let content = ProtectionFixture.content(2_500)
        for level in Self.levels {
            let code = ProtectionFixture.code {
                try fixture.make(level.name, content, level: level, keys: bag)
            }
            #expect(code == (level == .completeUnlessOpen ? nil : .locked))
        }
        let path = fixture.path("completeUnlessOpen")
        #expect(ProtectionFixture.code { _ = try fixture.content(path, keys: bag) } == .locked)
        try bag.unlock(try Passphrase(ProtectionFixture.words))
        #expect(try fixture.content(path, keys: bag) == content)
    }

    /// A chunk that was decrypted must not be handed out afterwards.
    @Test func whatWasReadLastIsLockedToo() throws {
        let path = try fixture.make("file", ProtectionFixture.content(100))
        let file = try ProtectedFile(path: path, keys: fixture.keys)
        #expect(try file.read(at: 0, count: 10).count == 10)
        fixture.keys.lock()
        #expect(ProtectionFixture.code { _ = try file.read(at: 0, count: 10) } == .locked)
        #expect(ProtectionFixture.code { _ = try file.read(at: 500, count: 10) } == .locked)
    }

    @Test func tellsWhatChanges() async throws {
        var changes = fixture.keys.readableLevelChanges.makeAsyncIterator()
        #expect(await changes.next() == Set(ProtectionLevel.allCases))
        fixture.keys.lock()
        #expect(
            await changes.next() == [
                .none, .completeWhenUserInactive, .completeUntilFirstUserAuthentication,
            ])
        try fixture.keys.unlock(try Passphrase(ProtectionFixture.words))
        #expect(await changes.next() == Set(ProtectionLevel.allCases))
    }
}
#endif
