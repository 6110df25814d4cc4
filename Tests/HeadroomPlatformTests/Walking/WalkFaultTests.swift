//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

struct WalkFaultTests {
    let directory: TemporaryDirectory
    var tree: Tree { directory.tree }

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        for index in 0..<20 {
            try tree.files(5, in: "d\(index)/below", size: ByteCount(5_000))
            try tree.files(3, in: "d\(index)", size: ByteCount(100))
        }
    }

    private func walk(_ calls: any FileSystemCalls) throws -> WalkResult {
        try WalkFixture.walk(directory.path, calls, threads: 2)
    }

    @Test(arguments: CallRoute.allCases)
    func needsNoTypesInDirectoryEntries(route: CallRoute) throws {
        let expected = try walk(route.calls).totals
        let hiding = try walk(FaultyCalls(route.calls, hidesTypes: true))
        #expect(hiding.totals == expected)
    }

    @Test(.tags(.r14d), arguments: CallRoute.allCases)
    func listsAFileWithoutStatusAndGoesOn(route: CallRoute) throws {
        let expected = try walk(route.calls).totals
        let result = try walk(
            FaultyCalls(route.calls) { call, _, count in
                call == .status && count == 17 ? .ioError : nil
            })
        #expect(result.totals.errors == 1)
        #expect(result.totals.files == expected.files - 1)
        #expect(result.totals.directories == expected.directories)
        let failure = try #require(result.failures.first)
        #expect(result.failures.count == 1)
        #expect(failure.operation == "stat")
        #expect(failure.error == .ioError)
        #expect(failure.path.starts(with: directory.path))
        #expect(failure.path.lastComponent?.string.first == "f")
        #expect(result.isComplete)
    }

    @Test(arguments: CallRoute.allCases)
    func listsADirectoryThatCannotBeOpenedAndCountsIt(route: CallRoute) throws {
        let expected = try walk(route.calls).totals
        let name = FileName("d7")
        let result = try walk(
            FaultyCalls(route.calls) { call, entry, _ in
                call == .open && entry == name ? .permissionDenied : nil
            })
        #expect(result.totals.errors == 1)
        #expect(result.totals.files == expected.files - 8)
        #expect(result.totals.directories == expected.directories - 1)
        #expect(result.failures.map(\.path) == [directory.path.appending("d7")])
        #expect(result.failures.map(\.operation) == ["open"])
    }

    @Test(arguments: CallRoute.allCases)
    func listsADirectoryThatCannotBeReadToItsEnd(route: CallRoute) throws {
        let expected = try walk(route.calls).totals
        let result = try walk(
            FaultyCalls(route.calls) { call, _, count in
                call == .read && count == 1 ? .ioError : nil
            })
        #expect(result.totals.errors == 1)
        #expect(result.failures.map(\.operation) == ["read"])
        #expect(result.failures.map(\.error) == [.ioError])
        #expect(result.totals.allocated <= expected.allocated)
        #expect(result.isComplete)
    }

    @Test(.tags(.r14d), arguments: [Errno.ioError, .permissionDenied, .tooManyOpenFiles])
    func survivesAnyCallThatFails(error: Errno) throws {
        for step in 0..<40 {
            let result = try walk(
                FaultyCalls(CallRoute.allCases[0].calls) { call, _, count in
                    count % 40 == step ? error : nil
                })
            #expect(result.totals.errors > 0, "\(step)")
            #expect(result.failures.count == result.totals.errors)
        }
        #if os(Linux)
        #expect(OpenDescriptors.count(below: directory.path.string) == 0)
        #endif
    }

    @Test(.tags(.r14c, .r14d)) func countsWhatVanishedInsteadOfReportingIt() throws {
        let expected = try walk(CallRoute.allCases[0].calls).totals
        let result = try walk(
            FaultyCalls(CallRoute.allCases[0].calls) { call, _, count in
                call == .status && count < 3 ? .noSuchFileOrDirectory : nil
            })
        #expect(result.totals.vanished == 3)
        #expect(result.totals.errors == 0)
        #expect(result.totals.files == expected.files - 3)
    }

    @Test func endsSoonWhenCancelled() throws {
        let progress = WalkProgress()
        let calls = FaultyCalls(CallRoute.allCases[0].calls) { call, _, count in
            if call == .open, count == 4 { progress.cancel() }
            return nil
        }
        let result = try WalkFixture.walk(
            directory.path, calls, threads: 1, progress: progress
        ) { $0.maximumThreads = 1 }
        #expect(!result.isComplete)
        #expect(calls.count(.open) == 5)
        #if os(Linux)
        #expect(OpenDescriptors.count(below: directory.path.string) == 0)
        #endif
    }

    @Test func reportsProgress() throws {
        let progress = WalkProgress()
        #expect(progress.currentPath == nil)
        let result = try WalkFixture.walk(
            directory.path, CallRoute.allCases[0].calls, progress: progress)
        #expect(progress.files == result.totals.files)
        #expect(progress.directories == result.totals.directories)
        #expect(progress.allocated.bytes == result.totals.allocated)
        #expect(progress.currentPath?.starts(with: directory.path) == true)
    }
}
