//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomInventory
import HeadroomPlatform

/// What the last survey of the caches has found, for previews that answer at once.
final class SurveyedCaches: @unchecked Sendable {  // Guarded by `lock`.
    typealias Found = (scope: Scope, inventory: Inventory)

    private let lock = ConditionLock()
    private var found: Found?
    private var surveys = 0

    /// A survey begins; ``end()`` must follow.
    func begin() {
        lock.lock()
        surveys += 1
        lock.unlock()
    }

    func end() {
        lock.lock()
        surveys -= 1
        lock.broadcast()
        lock.unlock()
    }

    func set(_ new: Found) {
        lock.lock()
        found = new
        lock.broadcast()
        lock.unlock()
    }

    /// What is known now.
    var latest: Found? {
        lock.lock()
        defer { lock.unlock() }
        return found
    }

    /// What is known, or is being found out: looking a second time meanwhile would only take longer.
    /// Blocks until the first survey is over.
    ///
    /// - Returns: nil if nobody has looked.
    func awaited() -> Found? {
        lock.lock()
        defer { lock.unlock() }
        while found == nil, surveys > 0 { lock.wait() }
        return found
    }
}
