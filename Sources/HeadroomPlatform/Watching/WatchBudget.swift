//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Synchronization

/// How many watches may be taken: the system's limit is for all programs of a user together, and a
/// service that takes them all leaves editors and file managers without any.
package final class WatchBudget: Sendable {
    /// Half of what inotify allows a user, for this process.
    package static let inotify = WatchBudget(limit: limit / 2)

    private let left: Mutex<Int>

    package init(limit: Int) { left = Mutex(limit) }

    private static var limit: Int {
        // Unreadable: what it was on small machines of old.
        let text = try? SmallFile.read("/proc/sys/fs/inotify/max_user_watches", limit: 32)
        let digits = text.map { String(decoding: $0, as: UTF8.self).filter(\.isNumber) }
        return digits.flatMap { Int($0) } ?? 8_192
    }

    /// What one user of the budget has taken of it; given back when it is gone.
    package final class Share: Sendable {
        private let budget: WatchBudget
        private let taken = Mutex(0)

        package init(of budget: WatchBudget) { self.budget = budget }

        deinit {
            let count = taken.withLock { $0 }
            budget.left.withLock { $0 += count }
        }

        /// - Returns: false if none is left.
        package func take() -> Bool {
            let isTaken = budget.left.withLock { left in
                guard left > 0 else { return false }
                left -= 1
                return true
            }
            if isTaken { taken.withLock { $0 += 1 } }
            return isTaken
        }

        package func giveBack() {
            taken.withLock { $0 -= 1 }
            budget.left.withLock { $0 += 1 }
        }
    }
}
#endif
