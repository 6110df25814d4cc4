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
import Synchronization
import SystemPackage
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is in a directory while a file in it is replaced, and after a crash or another program at a bad
/// moment.
struct ReplacementTests {
    private let fixture: ProtectionFixture
    private let content = ProtectionFixture.content(3_000)

    init() throws { fixture = try ProtectionFixture() }

    private func names() throws -> [String] {
        try fixture.directory.tree.names().map(\.text).filter { $0 != "state" }.sorted()
    }

    private func killed(_ operation: String, _ path: FilePath, _ how: String, at step: Int) throws {
        let result = try ChildProcess.run(
            try #require(BuiltProgram.path("ProtectionDriver")),
            [
                operation, fixture.state.string, ProtectionFixture.words, path.string, how,
                String(step),
            ])
        #expect(result.signal == 9)
    }

    /// Step 5 is after the last. From the exchange of the names on, the new file is there.
    @Test(.tags(.r36d), arguments: ["protect", "unprotect"], 0...5)
    func killedAtAnyStepOneOfTheTwoIsThere(operation: String, step: Int) throws {
        let path = fixture.path("file")
        if operation == "protect" {
            try fixture.write(content, to: "file")
        } else {
            try fixture.make("file", content)
        }
        try killed(operation, path, "unnamed", at: step)
        let isProtected = Protection.of(path) != .level(.none)
        #expect(isProtected == ((operation == "protect") == (step >= 3)))
        #expect(try (isProtected ? fixture.content(path) : fixture.bytes(path)) == content)
        // A file without a name goes with the process; it has one for a moment only.
        let left = try names().filter { $0 != "file" }
        #expect(left.count == ((2...3).contains(step) ? 1 : 0), "\(left)")
        #expect(left.allSatisfy { $0.hasPrefix(".headroom-swapping-") })
        #expect(ProtectedFile.removeLeftovers(in: fixture.directory.path) == left.count)
        #expect(try names() == ["file"])
        #expect(try (isProtected ? fixture.content(path) : fixture.bytes(path)) == content)
    }

    /// Where no file can be made without a name, what a crash leaves is swept like what saving leaves.
    @Test(.tags(.r36d), arguments: 0...5)
    func killedWithoutUnnamedFilesTheLeftoverHasItsName(step: Int) throws {
        let path = fixture.path("file")
        try fixture.write(content, to: "file")
        try killed("protect", path, "named", at: step)
        let isProtected = Protection.of(path) != .level(.none)
        #expect(isProtected == (step >= 3))
        #expect(try (isProtected ? fixture.content(path) : fixture.bytes(path)) == content)
        let left = try names().filter { $0 != "file" }
        #expect(left.count == (step <= 3 ? 1 : 0), "\(left)")
        let prefix = step <= 1 ? ".headroom-saving-" : ".headroom-swapping-"
        #expect(left.allSatisfy { $0.hasPrefix(prefix) })
        // In a minute: one that was just made may not be locked yet.
        var sweep = OrphanSweep(now: Timestamp.now().advanced(by: .seconds(120)))
        sweep.run(in: fixture.directory.path, isRecursive: false)
        #expect(sweep.count == left.count)
        #expect(try names() == ["file"])
    }

    /// What another program has put at the name between the last look and the exchange.
    @Test(.tags(.r36d), arguments: ["protect", "unprotect"])
    func whatComesBetweenIsPutBack(operation: String) throws {
        let path = fixture.path("file")
        if operation == "protect" {
            try fixture.write(content, to: "file")
        } else {
            try fixture.make("file", content)
        }
        let other = Data("of another program".utf8)
        try fixture.write(other, to: "other")
        let inode = try RegularFile(opening: fixture.path("other")).status().identity
        let code = ProtectionFixture.code {
            let race = { (step: Int) in
                guard step == 2 else { return }
                try? FileManager.default.removeItem(atPath: path.string)
                try? FileManager.default.moveItem(
                    atPath: fixture.path("other").string, toPath: path.string)
            }
            if operation == "protect" {
                try ProtectedFile.protect(
                    path, level: .complete, keys: fixture.keys, atStep: race)
            } else {
                try ProtectedFile.unprotect(path, keys: fixture.keys, atStep: race)
            }
        }
        #expect(code == .changed)
        #expect(try fixture.bytes(path) == other)
        #expect(try RegularFile(opening: path).status().identity == inode)
        #expect(try names() == ["file"])
    }

    @Test func whatWasRemovedStaysRemoved() throws {
        let path = fixture.path("file")
        try fixture.write(content, to: "file")
        let code = ProtectionFixture.code {
            try ProtectedFile.protect(path, level: .complete, keys: fixture.keys) { step in
                if step == 2 { try? FileManager.default.removeItem(atPath: path.string) }
            }
        }
        #expect(code == .changed)
        #expect(try names().isEmpty)
    }

    /// Written through the old name up to the last moment, by whoever has it open.
    @Test func whatIsWrittenAtTheLastMomentIsNotLost() throws {
        let path = fixture.path("file")
        try fixture.write(content, to: "file")
        let code = ProtectionFixture.code {
            try ProtectedFile.protect(path, level: .complete, keys: fixture.keys) { step in
                guard step == 2,
                    let file = try? FileDescriptor.open(path, .writeOnly, options: .append)
                else { return }
                _ = try? file.closeAfter { try file.writeAll("more".utf8) }
            }
        }
        #expect(code == .changed)
        #expect(try fixture.bytes(path) == content + Data("more".utf8))
        #expect(try names() == ["file"])
    }

    /// Another program replaces the file all the time: the last that it has put there is there at the end, or
    /// the encrypted form of one of them.
    @Test(.tags(.r36d)) func aRacingProgramLosesNothing() throws {
        let path = fixture.path("file")
        try fixture.write(Data("0".utf8), to: "file")
        let isOver = Atomic<Bool>(false)
        let lost = Atomic<Int>(0)
        let rounds = 1_000
        let racer = try WorkerThread {
            let next = fixture.path("next")
            for number in 1...rounds {
                try? Data("\(number)".utf8).write(to: URL(filePath: next.string))
                unsafe rename(next.string, path.string)
                // What stood there before may be seen for a moment, until it is put back.
                let isThere = (0..<100_000).contains { _ in
                    (try? fixture.plain(path)) == "\(number)" || sched_yield() != 0
                }
                if !isThere { lost.add(1, ordering: .relaxed) }
            }
            isOver.store(true, ordering: .releasing)
        }
        var done = 0
        var changed = 0
        while !isOver.load(ordering: .acquiring) {
            do {
                try ProtectedFile.protect(path, level: .complete, keys: fixture.keys)
                done += 1
            } catch {
                if error.code == .changed { changed += 1 }
                #expect(
                    [.changed, .alreadyProtected, .io, .busy, .unsupported].contains(error.code),
                    "\(error)")
            }
        }
        racer.join()
        #expect(lost.load(ordering: .relaxed) == 0)
        #expect(try fixture.plain(path) == "\(rounds)")
        #expect(done + changed > 0)
        #expect(try names() == ["file"])
    }

    // MARK: - Leftovers

    /// What a third program has put at the name when things were cut off lies at the side: it is nobody's to
    /// remove.
    @Test func aSweepKeepsWhatIsNoneOfTheTwo() throws {
        for (isOld, isNew, stays) in [
            (true, false, false), (false, true, false), (false, false, true),
        ] {
            try fixture.write(Data("other".utf8), to: "other")
            let inode = try RegularFile(opening: fixture.path("other")).status().identity.inode
            let name = SwapName(
                old: isOld ? inode : inode + 1_000, new: isNew ? inode : inode + 2_000)
            #expect(SwapName(name.fileName) == name)
            unsafe rename(fixture.path("other").string, fixture.path(name.fileName.text).string)
            #expect(
                ProtectedFile.removeLeftovers(in: fixture.directory.path) == (stays ? 0 : 1))
            #expect(try names().contains(name.fileName.text) == stays)
        }
        #expect(SwapName(FileName(unchecked: Array(".headroom-swapping-x".utf8))) == nil)
        try fixture.write(content, to: ".headroom-swapping-notes")
        #expect(ProtectedFile.removeLeftovers(in: fixture.directory.path) == 0)
    }

    /// Between link and exchange both are locked: who sweeps then takes nothing away.
    @Test func aSweepLeavesWhatIsAtWork() throws {
        let path = fixture.path("file")
        try fixture.write(content, to: "file")
        var removed = 0
        try ProtectedFile.protect(path, level: .complete, keys: fixture.keys) { step in
            guard (2...3).contains(step) else { return }
            removed += ProtectedFile.removeLeftovers(in: fixture.directory.path)
        }
        #expect(removed == 0)
        #expect(try fixture.content(path) == content)
    }
}

extension ProtectionFixture {
    /// What a file says, encrypted or not.
    fileprivate func plain(_ path: FilePath) throws -> String {
        let bytes = try bytes(path)
        guard ProtectionHeaderArea.isProtected(Array(bytes.prefix(8_192))) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        return String(decoding: try content(path), as: UTF8.self)
    }
}
#endif
