//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom

/// Reads a monitor's volumes when something hints that space is short: the hint says when to look, and what
/// is seen then counts.
///
/// Hints that come while the volumes are being read are one.
package struct HintedReading: Sendable {
    private let hints: AsyncStream<Void>
    private let read: @Sendable () async -> Void

    package init(_ hints: AsyncStream<Void>, read: @escaping @Sendable () async -> Void) {
        self.hints = hints
        self.read = read
    }

    /// Returns when the task is cancelled, or no more hints can come.
    package func run() async {
        for await _ in hints { await read() }
    }
}
