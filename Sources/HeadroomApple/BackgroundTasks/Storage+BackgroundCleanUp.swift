//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(iOS) || os(tvOS) || os(visionOS)
public import Headroom

extension Storage {
    /// A background task that cleans up what has expired or is over its limit, as
    /// `start(version:interval:)` does at a launch.
    ///
    /// Make it while the app launches. Once it is registered, the system keeps it for the life of the
    /// process.
    ///
    /// - Parameter identifier: as in the app's Info.plist, under `BGTaskSchedulerPermittedIdentifiers`.
    public func backgroundCleanUp(
        identifier: String, options: BackgroundCleanUp.Options = .init()
    ) -> BackgroundCleanUp {
        BackgroundCleanUp(identifier: identifier, options: options) {
            _ = await start(interval: .zero)
        }
    }
}

extension BackgroundCleanUp {
    /// A background task for work of the app's own. It is cancelled when the time is over, and fails by
    /// throwing.
    ///
    /// Make it while the app launches: it looks for the end of the launch from then on.
    public convenience init(
        identifier: String, options: Options = .init(),
        work: @escaping @Sendable () async throws -> Void
    ) {
        self.init(
            identifier: identifier, options: options, scheduler: SystemBackgroundScheduler(),
            registry: .ofProcess, work: work)
    }
}
#endif
