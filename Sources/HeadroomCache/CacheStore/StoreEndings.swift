//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization
package import SystemPackage

/// Stores that are being closed by threads of their own, since nobody has them any more.
///
/// Closing waits for the disk, for what the store's sweeper is at, and for the lock of the log: whoever lets the last
/// reference go may be anybody, a thread of the cooperative pool included.
package enum StoreEndings {
    /// How many there are, by the path of the store.
    private static let ongoing = Mutex<[FilePath: Int]>([:])

    /// Closes a store for good, as ``StoreCore/end()`` does, on a thread of its own.
    ///
    /// A process that ends meanwhile leaves what one leaves that is killed: nothing is lost, and the next to open the
    /// store looks at what was written last.
    package static func end(_ core: StoreCore) {
        // At once: its sweeper may be at work, and whoever let it go about to remove the directory.
        core.ending.begin()
        let path = core.path.lexicallyNormalized()
        ongoing.withLock { $0[path, default: 0] += 1 }
        let ending = Ending(core)
        let body: @Sendable () -> Void = {
            ending.run()
            ongoing.withLock { ongoing in
                let left = (ongoing[path] ?? 1) - 1
                ongoing[path] = left > 0 ? left : nil
            }
        }
        do {
            try WorkerThread(body).detach()
        } catch {
            // There are no more threads: late is better than never.
            body()
        }
    }

    /// Returns when none of a path is being closed: who opens it again in the same process finds it closed.
    static func wait(for path: FilePath) {
        let path = path.lexicallyNormalized()
        wait { $0 == path }
    }

    /// Returns when none below a directory is being closed, which may then be removed.
    package static func wait(below directory: FilePath) {
        let directory = directory.lexicallyNormalized()
        wait { $0.starts(with: directory) }
    }

    private static func wait(whileAny isMeant: (FilePath) -> Bool) {
        while ongoing.withLock({ $0.keys.contains(where: isMeant) }) { Pause.milliseconds(1) }
    }

    /// Lets go of the store before it is said to be closed: its locks go with it.
    private final class Ending: Sendable {
        private let core: Mutex<StoreCore?>

        init(_ core: StoreCore) {
            self.core = Mutex(core)
        }

        func run() {
            let core = core.withLock { core in
                defer { core = nil }
                return core
            }
            core?.end()
        }
    }
}
