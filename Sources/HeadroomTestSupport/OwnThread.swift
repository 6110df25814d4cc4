//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// Runs what computes for long on a thread of its own.
///
/// On a thread of the cooperative pool it would keep the tests that wait for answers from running, on
/// two processors all of them: their limits of time would pass.
public func onOwnThread<R: Sendable>(
    _ body: @escaping @Sendable () throws -> R
) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
        do {
            try WorkerThread { continuation.resume(with: Result { try body() }) }.detach()
        } catch {
            continuation.resume(throwing: error)
        }
    }
}
