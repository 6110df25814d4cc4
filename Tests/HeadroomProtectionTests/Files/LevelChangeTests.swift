//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import HeadroomEngine
import HeadroomPlatform
import HeadroomProtection
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct LevelChangeTests {
    private let fixture: ProtectionFixture
    private let content = ProtectionFixture.content(2_500)

    init() throws { fixture = try ProtectionFixture() }

    @Test func leavesTheContentAsItIs() throws {
        let path = try fixture.make("file", content)
        for level in ClassKeys.levels + ClassKeys.levels.reversed() {
            let before = try fixture.bytes(path).dropFirst(8_192)
            try ProtectedFile.changeLevel(of: path, to: level, keys: fixture.keys)
            #expect(try fixture.bytes(path).dropFirst(8_192) == before)
            let file = try ProtectedFile(path: path, keys: fixture.keys)
            #expect(file.level == level)
            #expect(!file.needsRepair)
            #expect(try file.read(at: 0, count: 2_500) == content)
            #expect(Protection.of(path) == .level(level))
        }
    }

    /// A child has all our descriptors, and with them the locks, until it calls exec.
    @Test func programsThatAreStartedMeanwhileHoldNothingUp() throws {
        let path = try fixture.make("file", content)
        let isOver = Atomic(false)
        let starting = try WorkerThread {
            while !isOver.load(ordering: .acquiring) { _ = try? ChildProcess.run("true") }
        }
        defer {
            isOver.store(true, ordering: .releasing)
            starting.join()
        }
        for _ in 0..<40 {
            for level in ClassKeys.levels {
                try ProtectedFile.changeLevel(of: path, to: level, keys: fixture.keys)
            }
        }
        #expect(
            try ProtectedFile(path: path, keys: fixture.keys).read(at: 0, count: 2_500) == content)
    }

    /// The old key must not be left in a copy of the header.
    @Test func bothCopiesAreOfTheNewLevel() throws {
        let path = try fixture.make("file", content, level: .completeUntilFirstUserAuthentication)
        try ProtectedFile.changeLevel(of: path, to: .complete, keys: fixture.keys)
        let bytes = try fixture.bytes(path)
        #expect(bytes.prefix(4_096) == bytes.dropFirst(4_096).prefix(4_096))
        fixture.keys.lock()
        #expect(ProtectionFixture.code { _ = try fixture.content(path) } == .locked)
    }

    @Test func needsTheKeysOfBothLevels() throws {
        let path = try fixture.make("file", content, level: .completeUntilFirstUserAuthentication)
        fixture.keys.lock()
        let before = try fixture.bytes(path)
        let code = ProtectionFixture.code {
            try ProtectedFile.changeLevel(of: path, to: .complete, keys: fixture.keys)
        }
        #expect(code == .locked)
        #expect(try fixture.bytes(path) == before)
        // For this one the public key is enough.
        try ProtectedFile.changeLevel(of: path, to: .completeUnlessOpen, keys: fixture.keys)
        let back = ProtectionFixture.code {
            try ProtectedFile.changeLevel(
                of: path, to: .completeUntilFirstUserAuthentication, keys: fixture.keys)
        }
        #expect(back == .locked)
    }

    @Test func refusesAFileInUse() throws {
        let path = try fixture.make("file", content)
        let lease = try Lease.acquire(path)
        let code = ProtectionFixture.code {
            try ProtectedFile.changeLevel(of: path, to: .completeUnlessOpen, keys: fixture.keys)
        }
        #expect(code == .busy)
        lease.release()
    }

    /// Wherever a write stops, be it in the middle of a page, the file has one of the two levels.
    @Test func everyTornWriteLeavesAReadableFile() throws {
        let path = try fixture.make("file", content)
        let before = try fixture.bytes(path)
        try ProtectedFile.changeLevel(
            of: path, to: .completeWhenUserInactive, keys: fixture.keys)
        let after = try fixture.bytes(path)
        // Slot 1 is written first, since slot 0 counts.
        var half = before
        half.replaceSubrange(4_096..<8_192, with: after[4_096..<8_192])
        let ends = Array(0...170) + [512, 1_024, 2_048, 4_000] + Array(4_085...4_096)
        for end in ends {
            for (start, from, to) in [(4_096, before, half), (0, half, after)] {
                var torn = from
                torn.replaceSubrange(start..<start + end, with: to[start..<start + end])
                try fixture.write(torn, to: "torn")
                let file = try ProtectedFile(path: fixture.path("torn"), keys: fixture.keys)
                #expect(try file.read(at: 0, count: 2_500) == content)
                let isNew = start == 0 || end == 4_096
                #expect(file.level == (isNew ? .completeWhenUserInactive : .complete), "\(end)")
                #expect(file.needsRepair == (torn.prefix(4_096) != torn[4_096..<8_192]))
            }
        }
    }

    /// Step 4 is after the last.
    @Test(arguments: 0...4)
    func killedAtAnyStepTheFileIsThere(step: Int) throws {
        let path = try fixture.make("file", content)
        let result = try ChildProcess.run(
            try #require(BuiltProgram.path("ProtectionDriver")),
            [
                "level", fixture.state.string, ProtectionFixture.words, path.string,
                "completeUnlessOpen", String(step),
            ])
        #expect(result.signal == 9)
        let file = try ProtectedFile(path: path, keys: fixture.keys)
        #expect(file.level == (step == 0 ? .complete : .completeUnlessOpen))
        #expect(try file.read(at: 0, count: 2_500) == content)
        #expect(file.needsRepair == (1...2).contains(step))
        try ProtectedFile.repairHeader(of: path, keys: fixture.keys)
        #expect(try !ProtectedFile(path: path, keys: fixture.keys).needsRepair)
        #expect(try fixture.content(path) == content)
    }

    @Test(arguments: [0, 4_096])
    func repairsADamagedCopy(slot: Int) throws {
        let path = try fixture.make("file", content)
        let whole = try fixture.bytes(path)
        var damaged = whole
        damaged.replaceSubrange(slot..<slot + 4_096, with: Data(count: 4_096))
        try fixture.write(damaged, to: "file")
        #expect(try ProtectedFile(path: path, keys: fixture.keys).needsRepair)
        #expect(try fixture.content(path) == content)
        try ProtectedFile.repairHeader(of: path, keys: fixture.keys)
        #expect(try fixture.bytes(path) == whole)
    }
}
#endif
