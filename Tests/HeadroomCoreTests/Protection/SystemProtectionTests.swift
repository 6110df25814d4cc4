//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// A system that protects files, as Apple's, in a script.
struct SystemProtectionTests {
    /// Says the same of every file.
    private struct Script: ProtectionClassReading {
        var isKept = true
        /// Nil: it does not say.
        var answer: Int32?

        func classOfFile(_ descriptor: Int32) -> ProtectionClass? {
            answer.map { ProtectionClass(number: $0) }
        }
    }

    private let directory: TemporaryDirectory
    private var tree: Tree { directory.tree }

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
    }

    private func path(_ name: String) -> FilePath { directory.path.pushing(FilePath(name)) }

    private var header: [UInt8] {
        let slot = ProtectionHeader(
            level: .completeUnlessOpen, chunkExponent: 16, generation: 1, fileID: Array(1...16),
            bagID: Array(17...32), ephemeralKey: Array(33...64), wrappedKey: Array(65...104),
            code: Array(105...136)
        ).encoded
        return slot + slot
    }

    @Test(
        .tags(.r35c),
        arguments: [
            (1, ProtectionLevel.complete), (2, .completeUnlessOpen),
            (3, .completeUntilFirstUserAuthentication), (4, .none), (7, .completeWhenUserInactive),
        ] as [(Int32, ProtectionLevel)])
    func whatTheSystemSaysIsToldAsItsLevel(number: Int32, level: ProtectionLevel) throws {
        try tree.file("letter", text: "dear")
        #expect(Protection.of(path("letter"), asking: Script(answer: number)) == .level(level))
    }

    @Test(.tags(.r35c), arguments: [nil, 0, 5, 6, 8, 1_000] as [Int32?])
    func whatTheSystemDoesNotSayIsUnknownAndNeverNone(number: Int32?) throws {
        try tree.file("letter", text: "dear")
        try tree.file("empty")
        let script = Script(answer: number)
        #expect(Protection.of(path("letter"), asking: script) == .unknown)
        #expect(Protection.of(path("empty"), asking: script) == .unknown)
        #expect(Protection.of(path("missing"), asking: script) == .unknown)
    }

    @Test(.tags(.r35c)) func ownEncryptionComesFirst() throws {
        try tree.file("own", contents: header)
        try tree.file("damaged", contents: Array(header.prefix(5_000)))
        let script = Script(answer: 3)
        #expect(Protection.of(path("own"), asking: script) == .level(.completeUnlessOpen))
        #expect(Protection.of(path("damaged"), asking: script) == .unknown)
        #expect(Protection.byHeadroom(path("own")) == .level(.completeUnlessOpen))
        try tree.file("letter", text: "dear")
        #expect(Protection.byHeadroom(path("letter")) == .level(.none))
    }

    @Test func aSystemWithoutClassesIsNotAsked() throws {
        try tree.file("letter", text: "dear")
        let script = Script(isKept: false, answer: 1)
        #expect(Protection.of(path("letter"), asking: script) == .level(.none))
    }

    @Test(
        .tags(.r35c),
        arguments: [
            (1, Protection.level(.complete)), (nil, .unknown), (4, nil),
        ] as [(Int32?, Protection?)])
    func anAuditTellsItToo(number: Int32?, expected: Protection?) throws {
        try tree.file("film.mp4", size: .mebibytes(1))
        let inventory = try InventoryFixture.scan(directory.path)
        let item = try #require(inventory.item(at: path("film.mp4")))
        let reader = EvidenceReader(NativeCalls.make(), classes: Script(answer: number))
        let evidence = try #require(reader.read([item.number], of: inventory)[item.number])
        #expect(evidence.protection == expected)
        #expect(!evidence.isUnreadable)
    }
}
