//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization

/// Tells how far a download has come, at most ten times a second.
final class ProgressReporter: Sendable {
    private let report: (@Sendable (DownloadProgress) -> Void)?
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    private static let interval: Duration = .milliseconds(100)

    init(_ report: (@Sendable (DownloadProgress) -> Void)?) {
        self.report = report
    }

    /// - Parameter isLast: it is told in any case.
    func report(_ received: Int64, _ total: Int64?, isLast: Bool = false) {
        guard let report else { return }
        let now = ContinuousClock.now
        let isDue = last.withLock { last in
            if let last, !isLast, now - last < Self.interval { return false }
            last = now
            return true
        }
        guard isDue else { return }
        report(
            DownloadProgress(received: ByteCount(received), total: total.map { ByteCount($0) }))
    }
}
