//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Glibc
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// What is asked of a directory unit before and while it goes: S4, S5, S6, S7.
struct UnitCheckTests {
    let fixture: PurgeFixture
    private var tree: Tree { fixture.tree }

    init() throws { fixture = try PurgeFixture() }

    private func reserved(_ tree: Tree) -> FileName? {
        try? tree.names().first { $0.text.hasPrefix(ReservedName.prefix) }
    }

    /// Purges with something done once, right before the first entry of a renamed unit goes.
    private func purge(
        beforeFirst action: @escaping @Sendable (Tree, TreePath) throws -> Void
    ) throws -> Receipt {
        let tree = tree
        let done = Flag()
        return try fixture.purge(unit: .entry) { options in
            var calls = HookedCalls()
            calls.willRemove = { (_, _) throws(Errno) in
                guard !done.isSet,
                    let name = try? tree.names().first(where: {
                        $0.text.hasPrefix(ReservedName.prefix)
                    })
                else { return }
                done.set()
                try? action(tree, TreePath([name]))
            }
            options.calls = calls
        }
    }

    @Test func aSubdirectoryLeasedWhileTheUnitGoesIsKept() throws {
        try tree.file("d/one/a", text: "x")
        try tree.file("d/two/a", text: "x")
        let locks = Mutex<[Int32]>([])
        let receipt = try purge { tree, unit in
            // By descriptors that were kept: the names are gone.
            for sub in ["one", "two"] {
                let directory = unsafe open(
                    tree.path(unit / "\(sub)").string, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                _ = flock(directory, LOCK_SH | LOCK_NB)
                locks.withLock { $0.append(directory) }
            }
        }
        // One of them was locked by the purge already.
        #expect(tree.exists("d/one/a") != tree.exists("d/two/a"))
        #expect(receipt.reason("d") == .leased)
        for lock in locks.withLock({ $0 }) { close(lock) }
    }

    @Test func aMemberWrittenWhileTheUnitGoesIsKept() throws {
        try tree.files(4, in: "d")
        let receipt = try purge { tree, unit in
            for index in 0..<4 { try? tree.file(unit / "f\(index)", text: "written") }
        }
        // The one that was just going went.
        #expect(try tree.names(in: "d").count == 3)
        #expect(receipt.reason("d") == .changed)
        #expect(receipt.notes.contains { $0.contains("had gone when") })
    }

    @Test func aLargeMemberOpenedWhileTheUnitGoesIsKept() throws {
        for index in 0..<3 { try tree.file("d/f\(index)", size: ByteCount(70_000)) }
        let files = Mutex<[Int32]>([])
        let receipt = try purge { tree, unit in
            for index in 0..<3 {
                let file = unsafe open(
                    tree.path(unit / "f\(index)").string, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
                if file >= 0 { files.withLock { $0.append(file) } }
            }
        }
        #expect(try tree.names(in: "d").count == 2)
        #expect(receipt.reason("d") == .inUse)
        for file in files.withLock({ $0 }) { close(file) }
    }

    @Test func aDirectoryExchangedWhileTheUnitGoesIsKept() throws {
        try tree.file("d/a/x", text: "x")
        try tree.file("d/b/x", text: "x")
        let receipt = try purge { tree, unit in
            for sub in ["a", "b"] {
                try? tree.rename(unit / "\(sub)", to: unit / "\(sub)-old")
                try? tree.file(unit / "\(sub)/x", text: "mine")
            }
        }
        #expect(try tree.contents(of: "d/a/x") == Array("mine".utf8))
        #expect(try tree.contents(of: "d/b/x") == Array("mine".utf8))
        #expect(receipt.reason("d") == .changed)
    }

    @Test(.tags(.s6b)) func theNameOfAUnitIsNotTakenFromAnother() throws {
        try tree.files(6, in: "d")
        let tree = tree
        let receipt = try fixture.purge(unit: .entry) { options in
            options.step = { step in
                guard step == .unitHalfEmptied,
                    let name = try? tree.names().first(where: {
                        $0.text.hasPrefix(ReservedName.prefix)
                    })
                else { return }
                // Something new keeps it, and somebody has made the directory anew meanwhile.
                try? tree.file(TreePath([name]) / "new", text: "mine")
                try? tree.directory("d")
            }
        }
        #expect(try tree.names(in: "d") == [])
        let name = try #require(reserved(tree))
        #expect(try tree.contents(of: TreePath([name]) / "new") == Array("mine".utf8))
        #expect(receipt.skipped.first?.reason.text.contains(name.text) == true)
    }

    @Test func aReservedNameThatIsTakenIsNotOverwritten() throws {
        try tree.file("d/a", text: "x")
        let tree = tree
        let receipt = try fixture.purge(unit: .entry) { options in
            var calls = HookedCalls()
            calls.willRename = { (_, new) throws(Errno) in
                // An empty directory: rename(2) would replace it without a word.
                if new.text.hasPrefix(ReservedName.prefix) {
                    try? tree.directory(TreePath([new]))
                }
            }
            options.calls = calls
        }
        #expect(tree.exists("d/a"))
        #expect(try tree.names().count == 2)
        #expect(receipt.reason("d") == .changed)
    }

    @Test(.tags(.s4d)) func aUnitThatBecameAnotherDirectoryStays() throws {
        try tree.file("d/a", text: "x")
        let receipt = try fixture.purge(unit: .entry) {
            try tree.rename("d", to: "old")
            try tree.file("d/a", text: "x")
        }
        #expect(tree.exists("d/a"))
        #expect(receipt.reason("d") == .changed)
    }

    @Test(.tags(.s4d, .s6b)) func aMemberWrittenBetweenTheLookAndTheRenameKeepsTheUnitWhole() throws
    {
        try tree.files(5, in: "d/sub")
        let tree = tree
        let receipt = try fixture.purge(unit: .entry) { options in
            options.step = { step in
                if step == .willRenameUnit { try? tree.file("d/sub/f3", text: "mine") }
            }
        }
        #expect(try tree.names(in: "d/sub").count == 5)
        #expect(try tree.contents(of: "d/sub/f3") == Array("mine".utf8))
        #expect(receipt.reason("d") == .changed)
    }

    @Test func whatStaysBeforeAnythingHasGoneKeepsTheUnitWhole() throws {
        try tree.files(5, in: "d")
        let tree = tree
        let seen = Mutex<[FileName]>([])
        let receipt = try fixture.purge(unit: .entry) { options in
            var calls = HookedCalls()
            calls.didRename = { (_, _) in seen.withLock { $0 = [] } }
            calls.didExamine = { name in
                let first = seen.withLock { seen in
                    seen.append(name)
                    return seen.count == 5 ? seen[0] : nil
                }
                // All has been looked at again, and the first is about to go.
                guard let first,
                    let unit = try? tree.names().first(where: {
                        $0.text.hasPrefix(ReservedName.prefix)
                    })
                else { return }
                try? tree.file(TreePath([unit, first]), text: "mine")
            }
            options.calls = calls
        }
        #expect(try tree.names(in: "d").count == 5)
        #expect(receipt.reason("d") == .changed)
    }

    @Test(.tags(.s12b)) func aSpecialFileMadeInAUnitIsNamed() throws {
        try tree.file("d/a", text: "x")
        let receipt = try fixture.purge(unit: .entry) { try tree.fifo("d/fifo") }
        #expect(tree.exists("d/a"))
        #expect(receipt.reason("d") == .special)
    }

    @Test(.enabled(if: Privilege.isRoot, "needs root for chattr"), arguments: ["d/a", "d/sub"])
    func somethingImmutableInAUnitKeepsAllOfItWhole(path: TreePath) throws {
        let fixture = try PurgeFixture(on: .disk)
        try fixture.tree.file("d/a", text: "x")
        try fixture.tree.file("d/sub/b", text: "x")
        let plan = try fixture.plan(unit: .entry)
        let place = fixture.tree.path(path).string
        try #require(try ChildProcess.run("chattr", ["+i", place]).succeeded)
        let receipt = try Purger.purge(plan, options: fixture.options(unit: .entry))
        _ = try ChildProcess.run("chattr", ["-i", place])
        #expect(fixture.tree.exists("d/a"))
        #expect(fixture.tree.exists("d/sub/b"))
        #expect(receipt.reason("d") == .immutable)
    }

    @Test func aSmallMemberThatIsOpenKeepsTheUnitWhole() throws {
        try tree.file("d/a", text: "x")
        try tree.files(5, in: "d/sub")
        let holder = try Holder.shell("exec 9<\(fixture.root)/d/a; echo ready; exec sleep 1000")
        let receipt = try fixture.purge(unit: .entry)
        #expect(tree.exists("d/a"))
        #expect(try tree.names(in: "d/sub").count == 5)
        #expect(receipt.reason("d") == .inUse)
        withExtendedLifetime(holder) {}
    }

    @Test func aLargeMemberOpenedJustNowKeepsTheUnitWhole() throws {
        try tree.file("d/a", size: ByteCount(70_000))
        try tree.files(5, in: "d/sub")
        let opened = Mutex<Int32>(-1)
        let path = tree.path("d/a").string
        let receipt = try fixture.purge(unit: .entry) { options in
            var calls = HookedCalls()
            calls.willOpen = { _ in
                opened.withLock { file in
                    if file < 0 { file = unsafe open(path, O_RDONLY | O_CLOEXEC) }
                }
            }
            options.calls = calls
        }
        #expect(try tree.names(in: "d/sub").count == 5)
        #expect(tree.exists("d/a"))
        #expect(receipt.reason("d") == .inUse)
        _ = opened.withLock { close($0) }
    }

    /// The unit itself is emptied last, so what is in it is safe only if all is asked first.
    @Test(.tags(.s6a), arguments: ["d", "d/sub"] as [TreePath], [LOCK_EX, LOCK_SH])
    func aLockedDirectoryKeepsTheUnitWhole(place: TreePath, lock: Int32) throws {
        try tree.file("d/sub/a", text: "x")
        try tree.file("d/other/a", text: "x")
        try tree.file("d/b", text: "x")
        let held = Mutex<Int32>(-1)
        let path = tree.path(place).string
        // Taken while the purge runs, in this process: no table tells of it.
        let receipt = try fixture.purge(unit: .entry) { options in
            options.step = { step in
                guard step == .areaLocked else { return }
                held.withLock { $0 = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
                _ = held.withLock { flock($0, lock | LOCK_NB) }
            }
        }
        #expect(tree.exists("d/sub/a"))
        #expect(tree.exists("d/other/a"))
        #expect(tree.exists("d/b"))
        #expect(receipt.isClaimed("d"))
        _ = held.withLock { close($0) }
    }

    @Test func aDirectoryLockedSinceKeepsAUnitThatIsTriedAgain() throws {
        try tree.file("d/a", text: "x")
        try tree.file("z", text: "x")
        let root = fixture.root
        let first = Flag()
        let held = Mutex<Int32>(-1)
        let receipt = try fixture.purge(unit: .entry) { options in
            var calls = HookedCalls()
            calls.willRename = { (_, _) throws(Errno) in
                guard !first.isSet else { return }
                first.set()
                throw .noSpace
            }
            options.calls = calls
            options.step = { step in
                guard step == .willRetryUnits else { return }
                held.withLock {
                    $0 = unsafe open(root.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                    _ = flock($0, LOCK_EX | LOCK_NB)
                }
            }
        }
        #expect(tree.exists("d/a"))
        #expect(receipt.reason("d") == .leased)
        _ = held.withLock { close($0) }
    }

    // MARK: S7

    @Test(
        .tags(.s7a), .enabled(if: PurgeDriverProgram.path != nil, "needs the program PurgeDriver"),
        arguments: [PurgeStep.willUnlink, .unitRenamed])
    func aKilledPurgeIsFoundWithWhatItWasAbout(step: PurgeStep) throws {
        try tree.file("d/a", text: "x")
        try tree.file("z", text: "x")
        let state = try TemporaryDirectory(on: .memory)
        let result = try ChildProcess.run(
            try #require(PurgeDriverProgram.path),
            [
                fixture.root.string, "entry", "\(step.rawValue)",
                fixture.base.path.appending("book").string, state.path.string,
            ])
        #expect(result.signal == 9, "\(result.output) \(result.errors)")
        let found = Ledger.open(directory: state.path, now: { .wallClock() }).recoverInterrupted()
        #expect(found.map(\.outcome) == [.crashed])
        if step == .unitRenamed {
            let name = try #require(reserved(tree))
            #expect(found.first?.notes.contains { $0.contains(name.text) } == true)
            #expect(found.first?.notes.contains { $0.contains("/area/d") } == true)
        }
    }
}
#endif
