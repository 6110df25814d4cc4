//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

@Suite("R20: a store that cannot have what it needs for a moment")
struct StoreShortageTests {
    private static func fill(_ path: FilePath) throws {
        let file = unsafe Glibc.open(path.string, O_WRONLY | O_CREAT, 0o600)
        defer { close(file) }
        let block = [UInt8](repeating: 7, count: 4096)
        while unsafe Glibc.write(file, block, block.count) > 0 {}
    }

    private static func open(_ path: FilePath, limit: ByteCount) throws -> StoreCore {
        var options = CacheOptions(limit: limit)
        options.heedsPressure = false
        let store = try StoreCore(at: path, options)
        store.finishSweeping()
        return store
    }

    /// By the time that there is room others may have taken its number.
    @Test(.enabled(if: Privilege.canMount, "needs root, to mount a small volume"))
    func aSegmentThatCouldNotBeToldIsNotTakenFromOthers() throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(8))
        let path = image.path.appending("store")
        let first = try Self.open(path, limit: .mebibytes(64))
        let second = try Self.open(path, limit: .mebibytes(64))
        try Self.fill(image.path.appending("ballast"))
        var failures = 0
        for number in 0..<400 {
            do { try first.put(StoreFixture.value(2000), "a-\(number)") } catch { failures += 1 }
        }
        #expect(failures > 300)
        try image.tree.remove("ballast")
        for number in 0..<100 { try second.put(StoreFixture.value(2000, seed: 2), "b-\(number)") }
        try first.put([1], "late")
        try second.flush()
        #expect(try (0..<100).filter { try second.get("b-\($0)") == nil } == [])
    }

    /// Of what was held for a file that did not come to be.
    @Test func whatAStreamHeldIsGivenBack() throws {
        let fixture = try StoreFixture(on: .memory)
        let store = try fixture.open()
        store.finishSweeping()
        let writer = try store.write("key")
        let value = StoreFixture.value(1 << 20)
        for _ in 0..<30 { try unsafe writer.append(value.span.bytes) }
        writer.cancel()
        try store.put([1], "small")
        try store.flush()
        #expect(store.statistics.allocated < 8 << 20)
    }

    /// Of values that may not go: nothing is gained by moving them once more.
    @Test func givingBytesBackComesToAnEnd() throws {
        let fixture = try StoreFixture(on: .memory)
        let moves = Atomic(0)
        let store = try fixture.open(
            limit: 4 << 20, step: { if $0 == .moveTold { moves.add(1, ordering: .relaxed) } })
        store.finishSweeping()
        for number in 0..<3 {
            try store.put(
                StoreFixture.value(32_700), "\(number)", CacheAttributes(as: .lastResort))
        }
        let isDone = Atomic(false)
        let thread = try WorkerThread {
            store.shrink(by: 1 << 30, through: .cache)
            isDone.store(true, ordering: .releasing)
        }
        guard Soon.holds({ isDone.load(ordering: .acquiring) }) else {
            thread.detach()
            Issue.record("\(moves.load(ordering: .relaxed)) moves, and no end")
            return
        }
        thread.join()
        #expect(try (0..<3).filter { try store.get("\($0)") == nil } == [])
    }

    /// Writing a snapshot costs as much as it is long, also where nothing comes of it.
    @Test func aSnapshotThatFailsIsNotTriedEachTime() throws {
        let fixture = try StoreFixture(on: .memory)
        let store = try fixture.open()
        store.finishSweeping()
        let names = StateDirectory.temporaryNames(for: "index.log")
        for name in names {
            try fixture.directory.tree.directory(TreePath(stringLiteral: "store/\(name)"))
        }
        for number in 0..<20_000 { try store.put([1], "\(number)") }
        try store.flush()
        let failures = store.statistics.logFailures
        #expect(failures >= 1 && failures <= 4)
        for name in names {
            #expect(unsafe rmdir(fixture.directory.path.appending("store/\(name)").string) == 0)
        }
        for number in 20_000..<60_000 { try store.put([1], "\(number)") }
        try store.flush()
        #expect(store.statistics.logFailures <= failures + 1)
        let log = try fixture.directory.tree.status(of: TreePath("store/index.log"))
        // A snapshot of them, and what came after it.
        #expect(log.logicalSize.bytes < 60_000 * 60)
    }

    /// Many go because of a lower limit, and each attempt may take seconds.
    @Test(.enabled(if: Privilege.canMount, "needs root, to mount a small volume"))
    func aLogThatCannotBeToldIsNotToldOfEachThatGoes() throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(16))
        let path = image.path.appending("store")
        do {
            let store = try Self.open(path, limit: .mebibytes(4))
            for number in 0..<3000 { try store.put([1], "\(number)") }
            store.end()
        }
        var options = CacheOptions(limit: .mebibytes(4), entryLimit: 100)
        options.heedsPressure = false
        let ballast = image.path.appending("ballast")
        let store = try StoreCore(
            at: path, options, step: { if $0 == .filesListed { try? Self.fill(ballast) } })
        store.finishSweeping()
        #expect(store.statistics.entries == 100)
        #expect(store.statistics.logFailures == 1)
        try image.tree.remove("ballast")
        try store.flush()
        let again = try Self.open(path, limit: .mebibytes(4))
        #expect(again.statistics.entries == 100)
        withExtendedLifetime(image) {}
    }

    // MARK: - What cannot be read

    /// A file that nobody can open, not even root: a device where none are allowed.
    private struct Unreadable: ~Copyable {
        private let path: String

        init(_ path: FilePath) throws {
            self.path = path.string
            try #require(unsafe rename(self.path, self.path + ".kept") == 0)
            try #require(unsafe mknod(self.path, S_IFCHR | 0o600, 0x103) == 0)
            let file = unsafe Glibc.open(self.path, O_RDONLY)
            try #require(file < 0 && errno == EACCES)
        }

        deinit { _ = unsafe rename(path + ".kept", path) }
    }

    private static func withoutDevices() throws -> (MountedImage, StoreFixture) {
        let image = try MountedImage.tmpfs(size: .mebibytes(64))
        let again = unsafe mount(
            nil, image.path.string, nil, UInt(MS_REMOUNT) | UInt(MS_NODEV), nil)
        try #require(again == 0)
        return (image, try StoreFixture(on: .at(image.path)))
    }

    @Test(.enabled(if: Privilege.canMount, "needs root, to mount a volume without devices"))
    func aSegmentThatCannotBeReadIsNotRemovedAsAnEmptyOne() throws {
        let (image, fixture) = try Self.withoutDevices()
        let store = try fixture.open()
        store.finishSweeping()
        for number in 0..<6000 { try store.put(StoreFixture.value(700), "\(number)") }
        try store.close()
        for number in 0..<6000 where number % 3 != 0 { try store.remove("\(number)") }
        store.releaseMemory()
        let names = try fixture.names(".segment")
        let first = try #require(names.first)
        let base = fixture.directory.path.appending("store")
        do {
            let unreadable = try Unreadable(base.appending(first))
            store.shrink(by: 1)
            #expect(try fixture.names(".segment").contains(first))
            _ = consume unreadable
        }
        store.end()
        let later = try fixture.open()
        later.finishSweeping()
        let found = try (0..<6000).filter { try later.get("\($0)") != nil }
        // What is used least goes for the byte that was asked for.
        #expect(found.count > 1990 && found.allSatisfy { $0 % 3 == 0 })
        withExtendedLifetime(image) {}
    }

    /// A file that nobody may read who uses the store goes on counting: once, however often all files are looked for.
    @Test(
        .enabled(if: User.isRoot, "needs root, to be somebody else on one thread"),
        arguments: [false, true])
    func whatCannotBeReadCountsOnce(goesInTheMiddle: Bool) throws {
        let fixture = try StoreFixture(on: .memory)
        let name = "0000000900000001.value"
        let (user, bytes): (UInt32, Int) = (65_534, 3 << 20)
        let base = fixture.directory.path
        try #require(unsafe chown(base.string, user, user) == 0)
        // glibc's module does not have setfsuid(2).
        let symbol = unsafe dlsym(nil, "setfsuid")
        typealias Call = @convention(c) (UInt32) -> Int32
        let call = try #require(unsafe symbol.map { unsafe unsafeBitCast($0, to: Call.self) })
        let become: @Sendable (UInt32) -> Void = { _ = call($0) }
        let counted = Mutex<[Int64]>([])
        let problem = Mutex<String?>(nil)
        let once = Once()
        let thread = try WorkerThread {
            // Of this thread alone, and of those that it starts.
            become(user)
            do {
                let store = try fixture.open(step: { step in
                    if step == .filesListed { once.run() }
                })
                store.finishSweeping()
                become(0)
                do {
                    let file = try RegularFile(
                        name, in: StateDirectory(opening: base.appending("store")), .replacing)
                    try file.write([UInt8](repeating: 7, count: bytes), at: 0)
                }
                become(user)
                for _ in 0..<3 {
                    try fixture.remove("index.log")
                    try store.flush()
                    store.finishSweeping()
                    counted.withLock { $0.append(store.statistics.allocated) }
                }
                // Its directory is the user's. All is listed twice: at first what the log does not name.
                once.set { try? fixture.remove(name) }
                if !goesInTheMiddle { once.run() }
                try fixture.remove("index.log")
                try store.flush()
                store.finishSweeping()
                counted.withLock { $0.append(store.statistics.allocated) }
            } catch {
                problem.withLock { $0 = "\(error)" }
            }
        }
        thread.join()
        #expect(problem.withLock { $0 } == nil)
        let figures = counted.withLock { $0 }
        #expect(figures.count == 4)
        #expect(figures.dropLast().allSatisfy { $0 >= bytes && $0 < 2 * bytes }, "\(figures)")
        #expect(figures.last.map { $0 >= 0 && $0 < bytes } == true, "\(figures)")
    }

    @Test(.enabled(if: Privilege.canMount, "needs root, to mount a volume without devices"))
    func aFileOfTheDeadThatCannotBeReadStays() throws {
        let (image, fixture) = try Self.withoutDevices()
        do {
            let store = try fixture.open()
            store.finishSweeping()
            try store.put(StoreFixture.value(100_000), "key")
        }
        let name = try #require(try fixture.names(".value").first)
        do {
            let unreadable = try Unreadable(
                fixture.directory.path.appending("store").appending(name))
            let other = try fixture.open()
            other.finishSweeping()
            #expect(try fixture.names(".value") == [name])
            other.end()
            _ = consume unreadable
        }
        let later = try fixture.open()
        later.finishSweeping()
        #expect(try later.get("key") == StoreFixture.value(100_000))
        withExtendedLifetime(image) {}
    }

    /// The older of two, which was replaced, is there again while the newer cannot be read.
    @Test(
        .enabled(if: Privilege.canMount, "needs root, to mount a volume without devices"),
        arguments: [700, 100_000])
    func whatCannotBeReadIsNotTakenForOlder(count: Int) throws {
        let (image, fixture) = try Self.withoutDevices()
        let base = fixture.directory.path.appending("store")
        let kind = count < 1000 ? ".segment" : ".value"
        let store = try fixture.open()
        store.finishSweeping()
        try store.put(StoreFixture.value(count, seed: 1), "key")
        let old = try #require(try fixture.names(kind).first)
        let bytes = try fixture.directory.tree.contents(of: TreePath("store/\(old)"))
        // Closed, so that what replaces it is elsewhere.
        store.end()
        let second = try fixture.open()
        second.finishSweeping()
        try second.put(StoreFixture.value(count, seed: 2), "key")
        let new = try #require(try fixture.names(kind).first { $0 != old })
        second.end()
        // What nothing is left in goes when the next segment is made.
        let third = try fixture.open()
        try third.put([1], "another")
        third.end()
        #expect(try !fixture.names(kind).contains(old))
        try fixture.directory.tree.file(TreePath("store/\(old)"), contents: bytes)
        do {
            let unreadable = try Unreadable(base.appending(new))
            let fourth = try fixture.open()
            fourth.finishSweeping()
            fourth.end()
            _ = consume unreadable
        }
        let later = try fixture.open()
        later.finishSweeping()
        #expect(try later.get("key") == StoreFixture.value(count, seed: 2))
        withExtendedLifetime(image) {}
    }

    /// What was moved is marked, and the log has no room to say where it is.
    @Test(.enabled(if: Privilege.canMount, "needs root, to mount a volume that is full"))
    func whatWasMovedAndCouldNotBeToldIsNotDropped() throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(16))
        let fixture = try StoreFixture(on: .at(image.path))
        let ballast = image.path.appending("ballast")
        let (copied, marked) = (Once(), Once())
        let first = try fixture.open(
            limit: 4 << 20, heedsPressure: false,
            step: { step in
                if step == .recordCopied { copied.run() }
                if step == .marked, copied.hasRun { marked.run() }
            })
        let second = try fixture.open(limit: 4 << 20, heedsPressure: false)
        first.finishSweeping()
        second.finishSweeping()
        let value = StoreFixture.value(100)
        for number in 0..<1000 {
            try first.put(value, "\(number)", CacheAttributes(as: .lastResort))
        }
        for number in 0..<1000 where number % 3 == 1 { try first.remove("\(number)") }
        try second.flush()
        #expect(try second.get("0") == value)
        copied.set {}
        marked.set { try? Self.fill(ballast) }
        first.shrink(by: 1 << 20, through: .cache)
        #expect(marked.hasRun)
        #expect(first.statistics.evictions == 0)
        #expect(try first.get("0") == value)
        // A reader, to whom nobody can say where it is now.
        _ = try second.get("0")
        _ = unsafe unlink(ballast.string)
        try first.flush()
        try second.flush()
        try first.flush()
        #expect(try first.get("0") == value)
        #expect(try second.get("0") == value)
        // Whoever puts takes out of use what all others find.
        let third = try fixture.open(limit: 4 << 20, heedsPressure: false)
        for number in [0, 2, 3, 5] {
            #expect(try third.get("\(number)") == value)
            try second.put([2], "\(number)", CacheAttributes(as: .lastResort))
            #expect(try third.get("\(number)") == [2])
        }
        withExtendedLifetime(image) {}
    }
}
#endif
