//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

struct WalkSafetyTests {
    let directory: TemporaryDirectory
    var tree: Tree { directory.tree }

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test(.tags(.s12a), arguments: CallRoute.allCases) func opensNothingButDirectories(
        route: CallRoute
    ) throws {
        try WalkFixture.makeOddTree(tree, links: 20)
        let opened = Mutex<[FileName]>([])
        let calls = FaultyCalls(route.calls) { call, name, _ in
            if call == .open, let name { opened.withLock { $0.append(name) } }
            return nil
        }
        _ = try WalkFixture.walk(directory.path, calls)
        let names = opened.withLock { $0 }
        #expect(names.contains(FileName(unchecked: Array("others".utf8))))
        for special in ["fifo", "socket", "null", "link", "loop", "hole", "island"] {
            #expect(!names.contains(FileName(unchecked: Array(special.utf8))), "\(special)")
        }
    }

    @Test(arguments: CallRoute.allCases) func leavesTimesOfFilesAlone(route: CallRoute) throws {
        try tree.file("a/file", size: ByteCount(10))
        try tree.symbolicLink("a/link", to: "file")
        let past = Timestamp(seconds: 1_000_000_000)
        try tree.setTimes(below: "a", to: past)
        for _ in 0..<2 { _ = try WalkFixture.walk(directory.path, route.calls) }
        for path: TreePath in ["a/file", "a/link"] {
            #expect(try tree.status(of: path).accessed == past, "\(path)")
            #expect(try tree.status(of: path).modified == past, "\(path)")
        }
    }

    @Test(arguments: CallRoute.allCases) func leavesNoDescriptorOpen(route: CallRoute) throws {
        try WalkFixture.makeOddTree(tree, links: 20)
        try tree.chain("deep", depth: 50)
        for threads in [1, 4] {
            _ = try WalkFixture.walk(directory.path, route.calls, threads: threads)
        }
        #if os(Linux)
        #expect(OpenDescriptors.count(below: directory.path.string) == 0)
        #endif
    }

    @Test func readsFromTheStartWhateverWasReadOfTheRoot() throws {
        try tree.files(10, in: "")
        let root = try Descriptor.openDirectory(directory.path)
        for _ in 0..<2 {
            let result = try Walk.run(root: root, path: directory.path)
            #expect(result.totals.files == 10)
        }
    }

    #if os(Linux)
    @Test(
        .tags(.s12c),
        .enabled(if: Privilege.isRoot && DiskUsage.isAvailable, "acting as others needs root"),
        arguments: CallRoute.allCases)
    func countsWhatAnotherUserMayNotReadAsDuDoes(route: CallRoute) throws {
        try tree.file("top/open/file", size: ByteCount(5_000))
        try tree.file("top/closed/secret", size: ByteCount(50_000))
        try tree.file("top/listable/file", size: ByteCount(5_000))
        try tree.setPermissions(0o755, of: "top")
        try tree.setPermissions(0o700, of: "top/closed")
        // Names can be read, their status cannot.
        try tree.setPermissions(0o744, of: "top/listable")
        _ = try ChildProcess.run("chmod", ["755", directory.path.string])
        let top = directory.path.appending("top")
        let nobody: UInt32 = 65_534
        let expected = try DiskUsage.allocated(top, as: nobody)
        let results = Mutex<[Result<WalkResult, any Error>]>([])
        let calls = route.calls
        let thread = try WorkerThread {
            Privilege.actOnThisThread(as: nobody)
            let result = Result { try WalkFixture.walk(top, calls, threads: 2) }
            results.withLock { $0.append(result) }
        }
        thread.join()
        let result = try #require(results.withLock { $0.first }).get()
        #expect(result.totals.allocated == expected.bytes)
        #expect(result.totals.directories == 4)
        #expect(result.totals.errors == 2)
        #expect(Set(result.failures.map(\.operation)) == ["open", "stat"])
        #expect(result.failures.allSatisfy { $0.error == .permissionDenied })
    }
    #endif

    /// Makes, renames and deletes in a directory until told to stop.
    private final class Churner: Sendable {
        private let isOver = Atomic<Bool>(false)
        private let failures = Mutex<[String]>([])
        private let tree: Tree

        init(_ tree: Tree) {
            self.tree = tree
        }

        func stop() -> [String] {
            isOver.store(true, ordering: .relaxed)
            return failures.withLock { $0 }
        }

        func run() {
            var round = 0
            while !isOver.load(ordering: .relaxed) {
                do {
                    try turn(round)
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
                round += 1
            }
        }

        private func turn(_ round: Int) throws {
            let place: TreePath = "moving/r\(round % 8)"
            try tree.files(40, in: place / "a", size: ByteCount(5))
            try tree.rename(place / "a", to: place / "b\(round)")
            try tree.file(place / "x", text: "x")
            try tree.remove(place / "x")
            try tree.symbolicLink(place / "x", to: "/usr")
            try tree.remove(place)
        }
    }

    @Test(.tags(.r14c), arguments: CallRoute.allCases)
    func survivesATreeThatChangesMeanwhile(route: CallRoute) throws {
        try tree.files(500, in: "still", size: ByteCount(10))
        let churner = Churner(tree)
        let thread = try WorkerThread { churner.run() }
        for _ in 0..<60 {
            let result = try WalkFixture.walk(directory.path, route.calls, threads: 4)
            #expect(result.totals.files >= 500)
            #expect(result.totals.files <= 500 + 8 * 42)
            #expect(result.totals.errors == 0, "\(result.failures)")
        }
        let failures = churner.stop()
        thread.join()
        #expect(failures.isEmpty)
        #if os(Linux)
        #expect(OpenDescriptors.count(below: directory.path.string) == 0)
        #endif
    }
}
