//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The system's scheduler of background tasks (`BGTaskScheduler`), as far as the life cycle needs it.
///
/// What the real one does about mistakes is to end the app, so ``BackgroundCleanUp`` makes none: that is
/// tested with schedulers that follow a script.
package protocol BackgroundScheduling: Sendable {
    /// Whether the app is known to have finished launching.
    var hasFinishedLaunching: Bool { get }

    /// Says what is to be called when the system has time for a task; once for each identifier of a
    /// process.
    ///
    /// - Returns: false if the identifier is not in the app's Info.plist.
    func register(
        _ identifier: String, launch: @escaping @Sendable (any BackgroundRun) -> Void
    ) -> Bool

    /// Asks for a run. A request that is pending under the same identifier is replaced.
    func submit(_ request: BackgroundRequest) async throws(BackgroundError)

    /// The request that is pending under an identifier, or nil. Its delay is the time until the run may
    /// begin, zero or less if it may begin at any time.
    func pendingRequest(_ identifier: String) async -> BackgroundRequest?

    /// Takes a request back. A run that is under way goes on.
    func cancel(_ identifier: String)
}

/// One run that the system has given us (`BGTask`).
package protocol BackgroundRun: Sendable {
    /// Says what is to be called when the time is over; it has to have ended soon after.
    func whenExpired(_ handler: @escaping @Sendable () -> Void)

    /// Says that the run is over. Once: the system ends an app that does it twice, or never.
    func complete(success: Bool)
}

/// What a run is asked for with.
package struct BackgroundRequest: Hashable, Sendable {
    package var identifier: String
    /// Not before so much time has passed.
    package var delay: Duration
    package var requiresExternalPower: Bool
    package var requiresNetwork: Bool

    package init(
        identifier: String, delay: Duration, requiresExternalPower: Bool, requiresNetwork: Bool
    ) {
        self.identifier = identifier
        self.delay = delay
        self.requiresExternalPower = requiresExternalPower
        self.requiresNetwork = requiresNetwork
    }

    /// The request that may replace a pending one without postponing it; nil: the pending one is left
    /// unchanged.
    func replacing(_ pending: BackgroundRequest?) -> BackgroundRequest? {
        guard let pending else { return self }
        var request = self
        request.delay = max(.zero, min(delay, pending.delay))
        let isSame =
            pending.requiresExternalPower == requiresExternalPower
            && pending.requiresNetwork == requiresNetwork && pending.delay <= delay
        return isSame ? nil : request
    }
}
