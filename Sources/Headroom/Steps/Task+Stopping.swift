//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension Task where Failure == Never {
    /// The value, waited for; the task is cancelled soon after a condition holds.
    ///
    /// For runs that are stopped by their progress, and not by the task that waits.
    func outcome(cancelledWhen isStopped: @escaping @Sendable () -> Bool) async -> Success {
        // Cancelled below, as soon as there is a value.
        let watching = Task<Void, Never> {
            while !isStopped() {
                // It fails when it is cancelled, and then there is nothing left to watch.
                guard
                    (try? await Task<Never, Never>.sleep(
                        for: .milliseconds(20), clock: .continuous)) != nil
                else { return }
            }
            cancel()
        }
        let result = await value
        watching.cancel()
        return result
    }
}
