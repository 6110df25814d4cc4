//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomTestSupport
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Removes the trees, which take gigabytes of memory or disk, also when the run is interrupted.
enum Interruption {
    private static let directories = Mutex<[FilePath]>([])

    /// Lets a thread of its own wait for the signals that end a run. To be called first.
    static func watch() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, signal) }
        // Threads inherit the mask; children are started with an empty one.
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        var thread = pthread_t()
        unsafe pthread_create(
            &thread, nil,
            { _ in
                var signals = sigset_t()
                unsafe sigemptyset(&signals)
                for signal in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, signal) }
                var caught: Int32 = 0
                unsafe sigwait(&signals, &caught)
                Interruption.removeAll()
                _exit(128 + caught)
            }, nil)
    }

    /// Calls `body` with a new directory that is removed afterwards, whatever happens.
    static func withDirectory<Result>(
        in place: String, _ body: (TemporaryDirectory) throws -> Result
    ) throws -> Result {
        try TemporaryDirectory.with(on: .at(FilePath(place))) { directory in
            directories.withLock { $0.append(directory.path) }
            return try body(directory)
        }
    }

    private static func removeAll() {
        for path in directories.withLock({ $0 }) {
            // Twice: the run may just be making files there. Nobody is left to tell of a failure.
            for _ in 0..<2 { _ = try? ChildProcess.run("rm", ["-rf", path.string]) }
        }
    }
}
