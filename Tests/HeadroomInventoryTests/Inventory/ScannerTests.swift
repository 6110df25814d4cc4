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

struct ScannerTests {
    let directory: TemporaryDirectory
    var tree: Tree { directory.tree }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func makeTree() throws {
        for index in 0..<30 {
            try tree.files(12, in: "d\(index % 5)/e\(index)", size: ByteCount(Int64(index) * 700))
            for link in 0..<6 {
                try tree.hardLink(
                    "links/\(link % 4)/l\(index)-\(link)", to: "d\(index % 5)/e\(index)/f0")
            }
        }
        try tree.file("names" / TreePath(name: [0xFF, 0x0A]), size: ByteCount(3))
        try tree.file("names" / TreePath(name: Array(repeating: 0x78, count: 255)))
        try tree.directory("names" / TreePath(name: Array(repeating: 0x79, count: 255)))
        try tree.sparseFile("hole", size: .gibibytes(5))
        try tree.symbolicLink("link", to: "hole")
        try tree.fifo("fifo")
    }

    @Test(.tags(.r14a)) func findsTheSameWithAnyNumberOfThreadsByAnyRoute() throws {
        try makeTree()
        let first = try InventoryFixture.scan(directory.path) { $0.threads = 1 }
        let expected = InventoryFixture.lines(first)
        let withoutBirth = InventoryFixture.lines(first, withBirth: false)
        #expect(expected.count == 30 * 18 + 30 + 5 + 5 + 8)
        for threads in [1, 2, 8, 16] {
            for route in CallRoute.allCases {
                let inventory = try InventoryFixture.scan(directory.path) {
                    $0.threads = threads
                    $0.calls = route.calls
                }
                // The POSIX route knows no birth times on Linux.
                let isSame =
                    route == .posix
                    ? InventoryFixture.lines(inventory, withBirth: false) == withoutBirth
                    : InventoryFixture.lines(inventory) == expected
                #expect(isSame, "\(threads) \(route)")
            }
        }
    }

    @Test(.enabled(if: DiskUsage.isAvailable, "needs GNU du to compare with"))
    func sumsUpAsDuDoes() throws {
        try makeTree()
        let expected = try DiskUsage.allocated(directory.path)
        let inventory = try InventoryFixture.scan(directory.path)
        let root = try #require(InventoryFixture.root(of: inventory))
        #expect(root.totals.allocated == expected.bytes)
        let totals = try Scanner.totals(
            of: directory.path, options: ScanOptions(now: InventoryFixture.now))
        #expect(totals.allocated == expected)
        #expect(root.totals.logical == totals.logical.bytes)
        #expect(root.totals.files == totals.files)
        #expect(root.totals.directories + 1 == totals.directories)
        #expect(inventory.itemCount == totals.files)
        #expect(inventory.directoryCount == totals.directories)
    }

    @Test(.enabled(if: DiskUsage.isAvailable, "needs GNU du to compare with"))
    func sumsUpUsrAsDuDoes() throws {
        let inventory = try InventoryFixture.scan("/usr")
        for path: FilePath in ["/usr", "/usr/lib", "/usr/share/doc"] {
            let found = try #require(inventory.directory(at: path))
            if path == "/usr" {
                #expect(ByteCount(found.totals.allocated) == (try DiskUsage.allocated(path)))
            }
            #expect(found.path == path)
        }
    }

    @Test(.tags(.r14e)) func keepsTheLastUseOfAllItReads() throws {
        try tree.file("a/b", size: ByteCount(10))
        let past = Timestamp(seconds: 1_000_000_000)
        try tree.setTimes(below: "a", to: past)
        func times() throws -> [Timestamp] {
            let inventory = try InventoryFixture.scan(directory.path)
            return InventoryFixture.entries(inventory).items.flatMap { [$0.lastUse, $0.accessed] }
        }
        let first = try times()
        #expect(first.count == 2)
        #expect(first[1] == past)
        #expect(try times() == first)
    }

    @Test func takesABirthTimeForAUse() throws {
        try tree.file("unpacked", size: ByteCount(1))
        try tree.setTimes(below: "unpacked", to: Timestamp(seconds: 486_000_000))
        let inventory = try InventoryFixture.scan(directory.path)
        let item = try #require(InventoryFixture.root(of: inventory)?.items.first { _ in true })
        #expect(item.modified == Timestamp(seconds: 486_000_000))
        let created = try #require(item.created, "the file system keeps birth times")
        #expect(item.lastUse == created)
    }

    // MARK: - Roots

    @Test(.tags(.r14b)) func refusesARootThatIsALink() throws {
        try tree.directory("real")
        try tree.symbolicLink("link", to: "real")
        #expect {
            try InventoryFixture.scan(directory.path.appending("link"))
        } throws: { error in
            guard let error = error as? HeadroomError else { return false }
            return error.code == .refused && error.message.contains("symbolic link")
        }
    }

    @Test(arguments: [
        ("missing", HeadroomError.Code.notFound), ("file", .invalid), ("fifo", .invalid),
    ])
    func saysWhatIsWrongWithARoot(name: String, code: HeadroomError.Code) throws {
        try tree.file("file", size: ByteCount(1))
        try tree.fifo("fifo")
        #expect {
            try InventoryFixture.scan(directory.path.appending(name))
        } throws: { error in
            guard let error = error as? HeadroomError else { return false }
            return error.code == code && error.message.contains(name)
        }
    }

    @Test func scansSeveralRoots() throws {
        try tree.file("a/one", size: ByteCount(10))
        try tree.file("b/c/two", size: ByteCount(10))
        let roots = ["a", "b"].map { ScanRoot(path: directory.path.appending($0)) }
        let inventory = try Scanner.scan(roots, options: ScanOptions(now: InventoryFixture.now))
        #expect(inventory.rootDirectories.map(\.path) == roots.map(\.path))
        let paths = InventoryFixture.entries(inventory).items.map(\.path)
        #expect(
            Set(paths) == [
                directory.path.appending("a/one"), directory.path.appending("b/c/two"),
            ])
    }

    // MARK: - What cannot be read

    @Test(.tags(.s12c)) func flagsWhatCannotBeRead() throws {
        try tree.files(4, in: "unopened", size: ByteCount(10))
        try tree.files(4, in: "unread", size: ByteCount(10))
        try tree.files(4, in: "unstatted", size: ByteCount(10))
        let inventory = try InventoryFixture.scan(directory.path) { options in
            options.calls = FaultyCalls(
                CallRoute.allCases[0].calls,
                rule: { call, name, _ in
                    switch (call, name?.text) {
                    case (.open, "unopened"): .permissionDenied
                    case (.status, "f2"): .ioError
                    default: nil
                    }
                })
            options.threads = 1
        }
        let unopened = try #require(inventory.directory(at: directory.path.appending("unopened")))
        #expect(unopened.isUnreadable)
        #expect(unopened.totals.files == 0)
        #expect(unopened.totals.unreadable == 1)
        #expect(unopened.allocated >= .zero)
        let unstatted = try #require(
            inventory.directory(at: directory.path.appending("unstatted")))
        #expect(!unstatted.isUnreadable)
        #expect(unstatted.hasUnreadableEntries)
        #expect(unstatted.unreadableEntries.map(\.text) == ["f2"])
        #expect(unstatted.totals.files == 3)
        #expect(inventory.failureCount == 3)
        #expect(inventory.failures.count == 3)
        #expect(InventoryFixture.root(of: inventory)?.totals.unreadable == 1)
    }

    @Test func flagsADirectoryThatBreaksOff() throws {
        try tree.files(4, in: "a/b", size: ByteCount(10))
        let inventory = try InventoryFixture.scan(directory.path) { options in
            // The root, then "a", each with a second call that says that there is no more.
            options.calls = FaultyCalls(CallRoute.allCases[0].calls) { call, _, count in
                call == .read && count == 3 ? .ioError : nil
            }
            options.threads = 1
        }
        let flags = ["", "a", "a/b"].map { name in
            inventory.directory(at: directory.path.pushing(FilePath(name)))?.isUnreadable
        }
        #expect(flags == [false, true, false])
        #expect(inventory.failures.map(\.operation) == ["read"])
    }

    @Test func saysThatItWasCancelled() throws {
        try tree.files(4, in: "a", size: ByteCount(10))
        let progress = ScanProgress()
        progress.cancel()
        let inventory = try Scanner.scan(
            [ScanRoot(path: directory.path)], options: ScanOptions(now: InventoryFixture.now),
            progress: progress)
        #expect(!inventory.isComplete)
        #expect(inventory.itemCount == 0)
    }
}
