//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
package import SystemPackage

/// What a running walk has seen so far, and the way to stop it; read from any thread.
package final class WalkProgress: Sendable {
    private let fileCount = Atomic<Int>(0)
    private let directoryCount = Atomic<Int>(0)
    private let byteCount = Atomic<Int64>(0)
    private let cancelled = Atomic<Bool>(false)
    private let pathWanted = Atomic<Bool>(false)
    private let path = Mutex<FilePath?>(nil)

    package init() {}

    package var files: Int { fileCount.load(ordering: .relaxed) }
    package var directories: Int { directoryCount.load(ordering: .relaxed) }
    package var allocated: ByteCount { ByteCount(byteCount.load(ordering: .relaxed)) }
    package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    /// Where the walk is, or was when it was last asked: each question makes it note a new one.
    package var currentPath: FilePath? {
        pathWanted.store(true, ordering: .relaxed)
        return path.withLock { $0 }
    }

    /// Ends the walk soon; what was found until then is returned and says that it is not all.
    package func cancel() { cancelled.store(true, ordering: .relaxed) }

    func add(files: Int, directories: Int, allocated: Int64) {
        fileCount.add(files, ordering: .relaxed)
        directoryCount.add(directories, ordering: .relaxed)
        byteCount.add(allocated, ordering: .relaxed)
    }

    @inline(__always)
    var wantsPath: Bool { pathWanted.load(ordering: .relaxed) }

    func note(_ current: FilePath) {
        pathWanted.store(false, ordering: .relaxed)
        path.withLock { $0 = current }
    }
}
