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

/// The ledger's log is removed, replaced or cut while it is open.
struct LedgerLossTests {
    private let temporary: TemporaryDirectory
    private let path: FilePath
    private static let log: TreePath = "state/headroom/ledger.log"
    private static let time = Timestamp(seconds: 1_795_000_000)

    init() throws {
        temporary = try TemporaryDirectory(on: .memory)
        path = temporary.path.appending("state/headroom")
    }

    private func open() -> Ledger { Ledger.open(directory: path, now: { Self.time }) }

    private func key(_ inode: UInt64) -> FileKey {
        FileKey(fileSystemID: 7, inode: inode, birth: -5)
    }

    private func area(_ name: String) -> Area {
        Area(root: FilePath("/srv/\(name)"), purgeClass: .cache, origin: "test")
    }

    /// A ledger with two registrations and three marks.
    private func filled() throws -> Ledger {
        let ledger = open()
        for name in ["a", "b"] { try ledger.register(area(name)) }
        for inode in 1...3 {
            try ledger.setMark(
                Mark(isPinned: true), for: key(UInt64(inode)), path: FilePath("/srv/a/\(inode)"),
                isDirectory: false)
        }
        return ledger
    }

    private var names: [TreePath] {
        StateDirectory.temporaryNames(for: "ledger.log").map {
            TreePath(stringLiteral: "state/headroom/\($0)")
        }
    }

    /// Somebody has all names under which a log can be made.
    private func takeNames() throws { for name in names { try temporary.tree.directory(name) } }

    private func giveNamesBack() throws { for name in names { try temporary.tree.remove(name) } }

    private func roots(_ ledger: Ledger) -> [String] {
        ledger.registrations.map(\.root.string).sorted()
    }

    /// Puts the log of a new ledger in the place of the one that is open, as another process does that was killed
    /// before it could say that it was rebuilt.
    private func replaceByAnEmptyOne() throws {
        _ = Ledger.open(directory: temporary.path.appending("other"), now: { Self.time })
        try temporary.tree.remove(Self.log)
        try temporary.tree.rename("other/ledger.log", to: Self.log)
    }

    /// What one process knew of a registration is no permission to delete after another has taken it back.
    @Test(.tags(.r9f)) func whatAnotherHasTakenBackStaysTakenBack() throws {
        let ledger = try filled()
        #expect(roots(ledger) == ["/srv/a", "/srv/b"])
        try open().unregister(root: "/srv/a")
        try temporary.tree.remove(Self.log)
        ledger.refresh()
        #expect(ledger.rebuiltAt == Self.time)
        #expect(roots(ledger) == ["/srv/b"])
        #expect(roots(open()) == ["/srv/b"])
        #expect(ledger.markedFiles.count == 3)
    }

    @Test func withoutItsCopyNoRegistrationIsPutBack() throws {
        let ledger = try filled()
        try temporary.tree.remove(Self.log)
        try temporary.tree.remove("state/headroom/registrations.log")
        ledger.refresh()
        #expect(roots(ledger) == [])
        #expect(ledger.markedFiles.count == 3)
        #expect(ledger.rebuiltAt == Self.time)
    }

    /// What is removed by the very call that finds the loss is not put back.
    @Test func whatIsRemovedInTheFirstWriteStaysRemoved() throws {
        let ledger = try filled()
        try temporary.tree.remove(Self.log)
        try ledger.unregister(root: "/srv/b")
        #expect(roots(ledger) == ["/srv/a"])
        try temporary.tree.remove(Self.log)
        try ledger.setMark(.none, for: key(2), path: "/srv/a/2", isDirectory: false)
        #expect(Set(ledger.markedFiles.map(\.key)) == [key(1), key(3)])
        let next = open()
        #expect(roots(next) == ["/srv/a"])
        #expect(Set(next.markedFiles.map(\.key)) == [key(1), key(3)])
    }

    /// Another began an empty log and was killed before it could say why.
    @Test func anEmptyLogOfAnotherIsALoss() throws {
        let ledger = try filled()
        try replaceByAnEmptyOne()
        ledger.refresh()
        #expect(ledger.rebuiltAt == Self.time)
        #expect(ledger.markedFiles.count == 3)
        let next = open()
        #expect(next.rebuiltAt == Self.time)
        #expect(next.markedFiles.count == 3)
        #expect(roots(next) == ["/srv/a", "/srv/b"])
    }

    @Test(arguments: [0, 10, 40])
    func aLogThatIsCutIsWrittenAnew(size: Int64) throws {
        let ledger = try filled()
        // So that there is a snapshot to be cut.
        try temporary.tree.remove(Self.log)
        ledger.refresh()
        let later = Self.time.advanced(by: .seconds(3))
        let other = Ledger.open(directory: path, now: { later })
        let file = try FileDescriptor.open(path.appending("ledger.log"), .writeOnly)
        try file.resize(to: size)
        try file.close()
        other.refresh()
        #expect(other.rebuiltAt == later)
        #expect(other.markedFiles.count == 3)
        let next = open()
        #expect(next.notices == [])
        #expect(next.rebuiltAt == later)
        #expect(next.markedFiles.count == 3)
        #expect(roots(next) == ["/srv/a", "/srv/b"])
        ledger.refresh()
        #expect(ledger.rebuiltAt == later)
    }

    /// What could not be written after a loss is tried again, and not lost to a snapshot of another's meanwhile.
    @Test(.tags(.r9f), arguments: [false, true])
    func whatCannotBeWrittenIsTriedAgain(anotherWrites: Bool) throws {
        let ledger = try filled()
        try replaceByAnEmptyOne()
        // No snapshot can be made.
        try takeNames()
        ledger.refresh()
        #expect(ledger.markedFiles.count == 3)
        #expect(ledger.notices.count == 2)
        // But that it was lost is told.
        let other = open()
        #expect(other.rebuiltAt == Self.time)
        #expect(other.markedFiles == [])
        try giveNamesBack()
        if anotherWrites {
            let log = try temporary.tree.status(of: Self.log).identity
            for number in 0..<20_000 {
                try other.recordUse(of: key(9), at: Self.time.advanced(by: .seconds(number)))
            }
            #expect(try temporary.tree.status(of: Self.log).identity != log)
        }
        for _ in 0..<3 { ledger.refresh() }
        #expect(ledger.markedFiles.count == 3)
        let next = open()
        #expect(next.markedFiles.count == 3)
        #expect(roots(next) == ["/srv/a", "/srv/b"])
        #expect(next.rebuiltAt == Self.time)
        #expect((next.lastUse(for: key(9)) != nil) == anotherWrites)
    }

    /// A loss that is found while nothing can be made is not forgotten.
    @Test func aLossOutlivesWhatGoesWrongAtFirst() throws {
        let ledger = try filled()
        try temporary.tree.remove(Self.log)
        try takeNames()
        ledger.refresh()
        #expect(ledger.markedFiles.count == 3)
        try giveNamesBack()
        ledger.refresh()
        #expect(ledger.rebuiltAt == Self.time)
        let next = open()
        #expect(next.markedFiles.count == 3)
        #expect(next.rebuiltAt == Self.time)
    }
}
