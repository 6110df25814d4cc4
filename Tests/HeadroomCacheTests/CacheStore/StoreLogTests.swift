//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("R20: a cache store and its log")
struct StoreLogTests {
    /// Another process puts a new index file in place, of which nothing can be read at first: its lock is
    /// held, or it cannot be read at all.
    @Test func aNewIndexFileIsReadFromItsBeginning() throws {
        let fixture = try StoreFixture(on: .memory)
        let first = try fixture.open()
        let second = try fixture.open()
        for store in [first, second] { store.finishSweeping() }
        for number in 0..<1500 { try first.put([1], "key-\(number)") }
        for number in 0..<100 { #expect(try second.remove("key-\(number)")) }
        try second.flush(compacting: true)
        let directory = try StateDirectory(opening: fixture.directory.path.appending("store"))
        let good = try directory.bytes(ofLog: "index.log")
        let file = try fixture.directory.tree.status(of: "store/index.log").identity
        try directory.makeLater("index.log")
        for _ in 0..<2 {
            #expect(throws: Errno.notSupported) { try first.flush() }
            // What is known is still to be had.
            #expect(try first.get("key-700") == [1])
        }
        try directory.overwrite("index.log", by: good)
        try first.flush()
        #expect(first.statistics.entries == 1400)
        #expect(try fixture.directory.tree.status(of: "store/index.log").identity == file)
        try first.put([2], "key-700")
        #expect(try second.get("key-700") == [2])
    }

    /// A few bytes that promise four thousand million entries do not take the memory of as many.
    @Test func whatTheLogPromisesTakesNoMemory() throws {
        let fixture = try StoreFixture(on: .memory)
        do {
            let store = try fixture.open()
            try store.put([1], "key")
            store.end()
        }
        let directory = try StateDirectory(opening: fixture.directory.path.appending("store"))
        // "CIDX", and the record that says how many entries follow.
        var log = try CheckedLog(
            "index.log", in: directory, kind: 0x4349_4458, access: .writing)
        var seen = Recorder()
        let promise = LogRecord(1, [255, 255, 255, 255])
        try log.append([promise], synchronizing: false, &seen)
        let store = try fixture.open()
        #expect(try store.get("key") == [1])
        // Of the million for which room is made at once.
        #expect(store.indexMemory < 64 << 20)
        #expect(store.indexMemory > 4 << 20)
    }

    /// The log is lost while a snapshot of it is written, and somebody comes.
    ///
    /// - Parameter isAside: the temporary file is not there while that one makes the new log.
    @Test(arguments: [false, true])
    func aSnapshotOfALogThatIsLostMeanwhile(isAside: Bool) throws {
        let fixture = try StoreFixture(on: .memory)
        // The times of files are those of the real clock.
        fixture.pass(.seconds(100 * 366 * 86400))
        let (once, gate) = (Once(), Gate())
        let first = try fixture.open(step: { step in
            if step == .snapshotWritten { once.run() }
        })
        first.finishSweeping()
        for number in 0..<3000 { try first.put([1], "\(number)") }
        try first.flush()
        once.set { gate.pass() }
        let writing = try WorkerThread { try? first.flush(compacting: true) }
        #expect(Soon.holds { once.hasRun })
        try fixture.remove("index.log")
        let directory = try StateDirectory(opening: fixture.directory.path.appending("store"))
        if isAside { try directory.rename("index.log.new", to: "kept") }
        let second = try fixture.open()
        second.finishSweeping()
        try second.put([2], "key")
        if isAside { try directory.rename("kept", to: "index.log.new") }
        gate.open()
        writing.join()
        try first.put([3], "key")
        #expect(try first.get("key") == [3])
        #expect(try second.get("key") == [3])
    }
}
