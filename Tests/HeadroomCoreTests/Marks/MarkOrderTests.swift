//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// In which order a mark is put, and what is left of one that could not be.
@Suite("R9: a mark that is cut off or fails")
struct MarkOrderTests {
    private let directory: TemporaryDirectory
    private let path: FilePath

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        try directory.tree.file("file", text: "x")
        path = directory.tree.path("file")
    }

    /// What the attribute alone says.
    private static func attribute(of path: FilePath) throws -> Mark {
        try MarkStore(calls: NativeCalls.make(), ledger: MemoryMarkLedger()).mark(of: path)
    }

    private static let marks: [Mark] = [
        .none, Mark(purgeClass: .temporary), Mark(purgeClass: .cache),
        Mark(purgeClass: .lastResort), Mark(isPinned: true), Mark(isPinned: false),
        Mark(purgeClass: .cache, isPinned: true), Mark(purgeClass: .lastResort, isPinned: false),
        Mark(purgeClass: .temporary, isPinned: true, importance: 7),
    ]

    /// Whoever dies while the ledger is written leaves the attribute as it is then.
    @Test(.tags(.r9h), arguments: marks, marks)
    func whileTheLedgerIsWrittenNothingMoreIsPermitted(_ old: Mark, _ new: Mark) throws {
        let seen = Mutex<[Mark]>([])
        let path = path
        let ledger = WatchedMarkLedger { _ in
            // Unreadable would be no mark of these.
            let mark = (try? Self.attribute(of: path)) ?? Mark(importance: 99)
            seen.withLock { $0.append(mark) }
        }
        let store = MarkStore(calls: NativeCalls.make(), ledger: ledger)
        try store.update(path) { $0 = old }
        seen.withLock { $0 = [] }
        try store.update(path) { $0 = new }
        #expect(try Self.attribute(of: path) == new)
        for between in seen.withLock({ $0 }) {
            #expect(between.importance != 99)
            if old.isPinned == true || new.isPinned == true { #expect(between.isPinned == true) }
            if between.isPinned == false { #expect(old.isPinned == false && new.isPinned == false) }
            if let purgeClass = between.purgeClass {
                for mark in [old, new] {
                    #expect(mark.purgeClass.map { $0 <= purgeClass } == true)
                }
            }
        }
    }

    @Test(.tags(.r9h), arguments: marks, marks)
    func aLedgerThatFailsLeavesTheMarkAsItWas(_ old: Mark, _ new: Mark) throws {
        let fails = Mutex(false)
        let ledger = WatchedMarkLedger { (_) throws(HeadroomError) in
            if fails.withLock({ $0 }) { throw HeadroomError(.noSpace, "The volume is full.") }
        }
        let store = MarkStore(calls: NativeCalls.make(), ledger: ledger)
        try store.update(path) { $0 = old }
        fails.withLock { $0 = true }
        guard !old.isEmpty || !new.isEmpty else { return }
        let error = #expect(throws: HeadroomError.self) { try store.update(path) { $0 = new } }
        #expect(error?.code == .noSpace)
        #expect(try Self.attribute(of: path) == old)
        // What the ledger holds for the process alone, too.
        #expect(try store.mark(of: path) == old)
        #expect(ledger.memory.markedFiles.map(\.mark) == (old.isEmpty ? [] : [old]))
    }

    #if os(Linux)
    /// The ledger was written before, and would permit by itself.
    @Test(.tags(.r9h)) func anAttributeThatFailsLeavesNoRecord() throws {
        let ledger = MemoryMarkLedger()
        let store = MarkStore(calls: NoAttributeCalls(error: .ioError), ledger: ledger)
        let error = #expect(throws: HeadroomError.self) {
            try store.update(path) { $0.purgeClass = .cache }
        }
        #expect(error?.code == .io)
        #expect(ledger.markedFiles.isEmpty)
        #expect(try store.mark(of: path) == .none)
    }

    @Test func whatCannotBePutBackIsSaid() throws {
        let writes = Mutex(0)
        let ledger = WatchedMarkLedger { (_) throws(HeadroomError) in
            let count = writes.withLock { count in
                count += 1
                return count
            }
            if count > 1 { throw HeadroomError(.io, "The disk is gone.") }
        }
        let store = MarkStore(calls: NoAttributeCalls(error: .ioError), ledger: ledger)
        let error = #expect(throws: HeadroomError.self) {
            try store.update(path) { $0.purgeClass = .cache }
        }
        #expect(error?.message.contains("has the new mark all the same") == true)
        #expect(error?.message.contains("headroom mark --clear \(path.string)") == true)
    }
    #endif
}

/// A ledger that says when it is written, and may fail then as one on a full volume does: what it was told it holds
/// until the process ends.
private final class WatchedMarkLedger: MarkLedger {
    let records: FilePath? = nil
    let memory = MemoryMarkLedger()
    private let watch: @Sendable (Mark) throws(HeadroomError) -> Void

    init(_ watch: @escaping @Sendable (Mark) throws(HeadroomError) -> Void) {
        self.watch = watch
    }

    func refresh() {}

    var markedFiles: [MarkedFile] { memory.markedFiles }

    func mark(for key: FileKey) -> Mark? { memory.mark(for: key) }

    func setMark(
        _ mark: Mark, for key: FileKey, path: FilePath, isDirectory: Bool
    ) throws(HeadroomError) {
        memory.setMark(mark, for: key, path: path, isDirectory: isDirectory)
        try watch(mark)
    }
}
