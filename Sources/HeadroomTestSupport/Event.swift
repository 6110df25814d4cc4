//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// Something that happens once, and can be waited for on another thread.
package final class Event: @unchecked Sendable {  // Guarded by `lock`.
    private let lock = ConditionLock()
    private var hasHappened = false

    package init() {}

    package func signal() {
        lock.lock()
        hasHappened = true
        lock.broadcast()
        lock.unlock()
    }

    package func wait() {
        lock.lock()
        while !hasHappened { lock.wait() }
        lock.unlock()
    }
}
