//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
import Synchronization
package import SystemPackage

extension ToolCommand {
    /// Runs it on a thread of its own, and waits without blocking. A cancelled task ends it.
    ///
    /// - Throws: as ``run(isCancelled:)``.
    package func runAside() async throws(Errno) -> Outcome {
        let cancellation = Cancellation()
        let result = await withTaskCancellationHandler {
            await BlockingThread.run(lowersPriority: false) { () -> Result<Outcome, Errno> in
                Result { () throws(Errno) in try run { cancellation.isRequested } }
            }
        } onCancel: {
            cancellation.request()
        }
        return try result.get()
    }

    private final class Cancellation: Sendable {
        private let state = Mutex(false)
        var isRequested: Bool { state.withLock { $0 } }
        func request() { state.withLock { $0 = true } }
    }
}
