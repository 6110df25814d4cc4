//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization

/// A clock that a test moves.
final class ManualTime: Sendable {
    private let value = Mutex(Duration.zero)

    var now: Duration { value.withLock { $0 } }

    func advance(_ duration: Duration) {
        value.withLock { $0 += duration }
    }
}
