//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomTestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Tells of the first removal by looking, on a thread of its own: the steps of a run come by a pool that
/// other tests use as well, and may come when all is over.
enum RemovalWatch {
    /// - Parameter files: what goes first of each directory: it was made first.
    static func start(
        _ files: [TreePath], in tree: Tree, _ body: @escaping @Sendable () -> Void
    ) throws -> WorkerThread {
        try WorkerThread {
            let end = ContinuousClock.now.advanced(by: .seconds(300))
            while files.allSatisfy({ tree.exists($0) }), ContinuousClock.now < end {
                // Leaves the processor to what is watched.
                usleep(1_000)
            }
            body()
        }
    }
}
