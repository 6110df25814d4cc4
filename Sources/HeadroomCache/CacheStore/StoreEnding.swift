//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization

/// Whether a store is being closed for good: from then on neither its log nor a segment is made anew.
///
/// Nobody has the store any more, and its directory may be removed at any moment.
final class StoreEnding: Sendable {
    private let flag = Atomic(false)

    var hasBegun: Bool { flag.load(ordering: .acquiring) }

    func begin() { flag.store(true, ordering: .releasing) }
}

extension StoreCore {
    /// Whether nothing has to be written but that the store is closed: it had been closed before, and nothing has come
    /// since. A snapshot would be a file that is made.
    var endsWithoutSnapshot: Bool { ending.hasBegun && state.withLock { $0.isClosed } }
}

extension StoreCore.State {
    /// Puts, removals and evictions.
    var changes: Int { statistics.puts + statistics.removals + statistics.evictions }

    fileprivate var isClosed: Bool {
        changesAtClose == changes && unknown.isEmpty && inFlight == 0
            && open.allSatisfy { $0 == nil }
    }
}
