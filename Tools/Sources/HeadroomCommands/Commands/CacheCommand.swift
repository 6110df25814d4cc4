//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import Synchronization
import SystemPackage

/// `headroom cache`
struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Look into the cache stores of apps that use Headroom.",
        discussion: """
            A cache store is a directory that an app keeps with Headroom's CacheStore: values packed \
            into segments, large ones in files, and an index. inspect and verify change nothing, and \
            may be run while the app does.
            """,
        subcommands: [Inspect.self, Verify.self, Compact.self])

    struct Directory: ParsableArguments {
        @Argument(help: "The directory of the store.")
        var directory: String

        func path() throws -> FilePath { try Paths.existing(directory) }
    }

    /// `headroom cache inspect`
    struct Inspect: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show what is in a cache store, by its index.")

        @OptionGroup var store: Directory
        @OptionGroup var output: OutputOptions

        func run() throws {
            Interruption.install()
            let path = try store.path()
            try output.print(CacheReport(path: path, inspection: try CacheInspection(of: path)))
        }
    }

    /// `headroom cache verify`
    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read all values of a cache store and compare their checksums.",
            discussion: """
                Exit code 4: something is not as it was written. An app never gets such a value; it \
                is as if it had never been put.
                """)

        @OptionGroup var store: Directory
        @OptionGroup var output: OutputOptions

        func run() throws {
            Interruption.install()
            let path = try store.path()
            let meter = CacheMeter(path)
            let inspection = try ProgressLine.during(
                isShown: output.showsProgress, state: { meter.state }, cancel: { meter.cancel() },
                { () throws(HeadroomError) in
                    try CacheInspection(of: path, verifying: true) { meter.note($0, $1, $2) }
                })
            if meter.isCancelled { throw ExitStatus.interrupted.code }
            try output.print(CacheReport(path: path, inspection: inspection))
        }
    }

    /// `headroom cache compact`
    struct Compact: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a cache store as small as it can be without losing a value.",
            discussion: """
                Moves together what is of use in segments that have gaps, and writes the index anew. \
                The app may run. As the user whose store it is.
                """)

        @OptionGroup var store: Directory
        @OptionGroup var output: OutputOptions

        func run() throws {
            Interruption.install()
            let path = try store.path()
            let workspace = try Session.open(forWriting: false)
            try output.print(
                CacheCompactReport(
                    path: path, outcome: try workspace.compactCacheStore(at: path)))
        }
    }
}

/// How far a verification is.
private final class CacheMeter: Sendable {
    private let path: FilePath
    private let value: Mutex<(values: Int, bytes: Int64, total: Int64, isCancelled: Bool)>

    init(_ path: FilePath) {
        self.path = path
        value = Mutex((0, 0, 0, false))
    }

    func note(_ values: Int, _ bytes: Int64, _ total: Int64) -> Bool {
        value.withLock {
            $0 = (values, bytes, total, $0.isCancelled)
            return !$0.isCancelled
        }
    }

    func cancel() { value.withLock { $0.isCancelled = true } }
    var isCancelled: Bool { value.withLock { $0.isCancelled } }

    var state: ProgressState {
        value.withLock {
            ProgressState(
                count: $0.values, noun: "values", bytes: ByteCount($0.bytes),
                goal: ByteCount($0.total), path: path)
        }
    }
}
