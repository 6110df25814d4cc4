//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomPlatform

#if !canImport(Darwin)
/// A queue for the callbacks of a session that holds up whoever adds to it when too many wait.
///
/// Foundation on Linux hands on each piece of a body as soon as it has read it, however many the
/// delegate has not got to yet, and cannot pause a transfer: a disk slower than the network would
/// fill the memory. Here the thread that reads waits, and so, at last, the sender. All sessions of
/// a process share that thread: while a disk is that slow, they all wait.
final class BoundedQueue: OperationQueue, @unchecked Sendable {  // `condition` guards what is new.
    private let condition = ConditionLock()
    private var waiting = 0

    /// A piece is at most 16 KiB.
    private static let limit = 64

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        condition.lock()
        while waiting >= Self.limit { condition.wait() }
        waiting += 1
        condition.unlock()
        super.addOperation { [self] in
            block()
            condition.lock()
            waiting -= 1
            condition.signal()
            condition.unlock()
        }
    }
}
#endif
