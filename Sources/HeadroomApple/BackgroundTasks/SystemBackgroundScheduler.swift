//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(iOS) || os(tvOS) || os(visionOS)
import BackgroundTasks
import Foundation
import HeadroomPlatform
import Synchronization

/// The real scheduler. Nothing is decided here.
struct SystemBackgroundScheduler: BackgroundScheduling {
    private let launch: LaunchWatch

    init() {
        launch = .shared
    }

    var hasFinishedLaunching: Bool { launch.isOver }

    func register(
        _ identifier: String, launch: @escaping @Sendable (any BackgroundRun) -> Void
    ) -> Bool {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
            launch(SystemBackgroundRun(task))
        }
    }

    func submit(_ request: BackgroundRequest) async throws(BackgroundError) {
        let wish = BGProcessingTaskRequest(identifier: request.identifier)
        wish.requiresExternalPower = request.requiresExternalPower
        wish.requiresNetworkConnectivity = request.requiresNetwork
        let (seconds, attoseconds) = request.delay.components
        wish.earliestBeginDate = Date(
            timeIntervalSinceNow: Double(seconds) + Double(attoseconds) * 1e-18)
        if let failure = await Self.submit(wish) { throw Self.error(failure, request.identifier) }
    }

    func pendingRequest(_ identifier: String) async -> BackgroundRequest? {
        await withCheckedContinuation { continuation in
            // Requests are not Sendable: the needed values are copied where they are delivered.
            BGTaskScheduler.shared.getPendingTaskRequests { requests in
                let found = requests.first { $0.identifier == identifier }
                continuation.resume(returning: found.map(Self.request))
            }
        }
    }

    private static func request(_ pending: BGTaskRequest) -> BackgroundRequest {
        let seconds = pending.earliestBeginDate?.timeIntervalSinceNow ?? 0
        let processing = pending as? BGProcessingTaskRequest
        return BackgroundRequest(
            identifier: pending.identifier, delay: .seconds(seconds),
            requiresExternalPower: processing?.requiresExternalPower ?? false,
            requiresNetwork: processing?.requiresNetworkConnectivity ?? false)
    }

    func cancel(_ identifier: String) {
        BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: identifier)
    }

    /// By the call of the system that we run on: the older one is deprecated from 27 on.
    private static func submit(_ wish: sending BGProcessingTaskRequest) async -> (any Error)? {
        if #available(iOS 27, tvOS 27, visionOS 27, *) {
            return await withCheckedContinuation { continuation in
                BGTaskScheduler.shared.submitTaskRequest(wish) {
                    continuation.resume(returning: $0)
                }
            }
        }
        do {
            try BGTaskScheduler.shared.submit(wish)
            return nil
        } catch {
            return error
        }
    }

    private static func error(_ error: any Error, _ identifier: String) -> BackgroundError {
        let start = "The background task \(identifier) was not submitted: "
        guard let refusal = error as? BGTaskScheduler.Error else {
            return BackgroundError(.failed, start + "\(error).")
        }
        switch refusal.code {
        case .unavailable:
            return BackgroundError(
                .unavailable,
                start
                    + "there are no background tasks here. They are missing in the simulator and in "
                    + "extensions, and a person can switch them off in Settings.")
        case .tooManyPendingTaskRequests:
            return BackgroundError(
                .tooManyRequests,
                start + "the system takes 10 processing requests of an app. Cancel one.")
        case .notPermitted:
            return BackgroundError(
                .notPermitted,
                start + "the app's Info.plist does not permit it. Add the identifier to "
                    + "BGTaskSchedulerPermittedIdentifiers and processing to UIBackgroundModes.")
        default:
            return BackgroundError(.failed, start + "\(error).")
        }
    }
}

/// A run of the system's.
private struct SystemBackgroundRun: BackgroundRun, @unchecked Sendable {
    // BGTask may be used from any thread; it is only not declared so.
    private let task: BGTask

    init(_ task: BGTask) {
        self.task = task
    }

    func whenExpired(_ handler: @escaping @Sendable () -> Void) { task.expirationHandler = handler }

    func complete(success: Bool) { task.setTaskCompleted(success: success) }
}

/// Sees the end of the launch, if it is made before.
private final class LaunchWatch: Sendable {
    static let shared = LaunchWatch()

    private let seen = Atomic<Bool>(false)

    var isOver: Bool { seen.load(ordering: .acquiring) }

    private init() {
        // By its name: UIKit is not linked for it. It lives as long as the process.
        _ = NotificationCenter.default.addObserver(
            forName: Notification.Name("UIApplicationDidFinishLaunchingNotification"), object: nil,
            queue: nil
        ) { [self] _ in seen.store(true, ordering: .releasing) }
    }
}
#endif
