//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Counts from several threads.
final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    func increment() -> Int { value.add(1, ordering: .relaxed).newValue }
}
