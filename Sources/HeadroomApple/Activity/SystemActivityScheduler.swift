//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(macOS)
import Foundation
public import Headroom
import HeadroomPlatform

/// The real scheduler. Nothing is decided here.
private struct SystemActivityScheduler: ActivityScheduling, @unchecked Sendable {
    // It may be used from any thread; it is only not declared so.
    private let scheduler: NSBackgroundActivityScheduler

    init(_ identifier: String) {
        scheduler = NSBackgroundActivityScheduler(identifier: identifier)
    }

    var shouldDefer: Bool { scheduler.shouldDefer }

    func schedule(
        every interval: Duration,
        _ body:
            @escaping @Sendable (_ complete: @escaping @Sendable (ActivityEnding) -> Void) -> Void
    ) {
        scheduler.repeats = true
        scheduler.interval = Double(interval.components.seconds)
        scheduler.qualityOfService = .background
        scheduler.schedule { complete in
            body { complete($0 == .finished ? .finished : .deferred) }
        }
    }

    func invalidate() { scheduler.invalidate() }
}

extension Storage {
    /// Cleans up what has expired or is over its limit about once in an interval, as
    /// `start(version:interval:)` does at a launch; while the program runs, at times that suit the system.
    ///
    ///     let activity = storage.backgroundActivity(identifier: "org.example.podcasts.clean-up")
    ///     activity.start()
    ///
    /// - Parameters:
    ///   - identifier: the same at every launch; the system keeps its times by it.
    ///   - interval: ten minutes at least.
    public func backgroundActivity(
        identifier: String, every interval: Duration = .seconds(86400)
    ) -> BackgroundActivity {
        BackgroundActivity(
            every: max(interval, .seconds(600)), scheduler: SystemActivityScheduler(identifier)
        ) {
            _ = await start(interval: .zero)
        }
    }
}
#endif
