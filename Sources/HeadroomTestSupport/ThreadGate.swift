//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization

/// Holds threads until it is opened: a call that hangs.
public final class ThreadGate: Sendable {
    private let lock = ConditionLock()
    private let isOpen = Atomic(false)

    public init() {}

    public func wait() {
        lock.lock()
        while !isOpen.load(ordering: .relaxed) { lock.wait() }
        lock.unlock()
    }

    public func open() {
        lock.lock()
        isOpen.store(true, ordering: .relaxed)
        lock.broadcast()
        lock.unlock()
    }
}
