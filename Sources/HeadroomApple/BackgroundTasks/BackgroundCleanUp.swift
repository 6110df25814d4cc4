//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization

/// Cleans up when the system has time for it, now and then, while the app is not in use
/// (`BGProcessingTask`).
///
///     @main struct PodcastApp: App {
///         private let cleanUp: BackgroundCleanUp
///
///         init() {
///             cleanUp = storage.backgroundCleanUp(identifier: "org.example.podcasts.clean-up")
///             try? cleanUp.register()
///         }
///
///         var body: some Scene {
///             WindowGroup { ContentView().task { try? await cleanUp.submit() } }
///         }
///     }
///
/// The identifier has to stand in the app's Info.plist under `BGTaskSchedulerPermittedIdentifiers`, and
/// `processing` under `UIBackgroundModes`. Every run asks for the next one before it begins. When the
/// system wants its time back, the work is cancelled, and the run is completed without waiting for it.
public final class BackgroundCleanUp: Sendable {
    /// When and where a run may be.
    public struct Options: Hashable, Sendable {
        /// Not more often than that; the system decides when.
        public var interval = Duration.seconds(86400)
        public var requiresExternalPower = true
        public var requiresNetwork = false

        public init() {}
    }

    /// How it stands.
    public struct Status: Hashable, Sendable {
        public var isRegistered = false
        /// Runs that the system has given so far, in this process.
        public var runs = 0
        /// Of these, those that it ended before they were done.
        public var expiredRuns = 0
        /// Why the last request was not taken; nil if it was.
        public var submissionError: BackgroundError?
    }

    public let identifier: String
    public let options: Options

    private let scheduler: any BackgroundScheduling
    private let registry: BackgroundRegistry
    private let work: @Sendable () async throws -> Void
    private let state = Mutex(Status())

    package init(
        identifier: String, options: Options, scheduler: any BackgroundScheduling,
        registry: BackgroundRegistry, work: @escaping @Sendable () async throws -> Void
    ) {
        self.identifier = identifier
        self.options = options
        self.scheduler = scheduler
        self.registry = registry
        self.work = work
    }

    public var status: Status { state.withLock { $0 } }

    /// Tells the system what is to be run. At every launch, before the app has finished launching: in the
    /// initializer of a SwiftUI `App`, or in `application(_:didFinishLaunchingWithOptions:)`. Calling it
    /// again does nothing.
    ///
    /// - Throws: ``BackgroundError`` `tooLate`, `alreadyRegistered`, `notPermitted`.
    public func register() throws(BackgroundError) {
        guard !state.withLock({ $0.isRegistered }) else { return }
        guard !scheduler.hasFinishedLaunching else {
            throw BackgroundError(
                .tooLate,
                "The background task \(identifier) was not registered: the app has finished "
                    + "launching, and the system ends apps that register later. Call register() in the "
                    + "App's init or in didFinishLaunchingWithOptions.")
        }
        guard registry.claim(identifier) else {
            throw BackgroundError(
                .alreadyRegistered,
                "The background task \(identifier) was registered before in this process. Keep one "
                    + "BackgroundCleanUp for it.")
        }
        // The system keeps the handler for the life of the process, and the handler keeps this object:
        // an app that only registers still gets its cleanups.
        // mutation: r27b-2
        let isTaken = scheduler.register(identifier) { [self] run in launched(run) }
        guard isTaken else {
            registry.release(identifier)
            throw BackgroundError(
                .notPermitted,
                "The background task \(identifier) was not registered: it is not in the app's "
                    + "Info.plist. Add it to BGTaskSchedulerPermittedIdentifiers.")
        }
        state.withLock { $0.isRegistered = true }
    }

    /// Asks the system for the next run. Call it at every launch, when there is time.
    ///
    /// A pending request is never postponed: it is left unchanged, or keeps its earlier time if the
    /// options have changed. An app that is launched more often than its interval still gets its cleanup.
    ///
    /// - Throws: ``BackgroundError`` `notRegistered`, `notPermitted`, `unavailable`, `tooManyRequests`.
    public func submit() async throws(BackgroundError) {
        guard status.isRegistered else {
            throw BackgroundError(
                .notRegistered,
                "The background task \(identifier) was not submitted: it is not registered. Call "
                    + "register() first, before the app has finished launching.")
        }
        let request = BackgroundRequest(
            identifier: identifier, delay: options.interval,
            requiresExternalPower: options.requiresExternalPower,
            requiresNetwork: options.requiresNetwork)
        do throws(BackgroundError) {
            // mutation: r27b-1 (2 lines)
            let pending = await scheduler.pendingRequest(identifier)
            if let request = request.replacing(pending) { try await scheduler.submit(request) }
            state.withLock { $0.submissionError = nil }
        } catch {
            state.withLock { $0.submissionError = error }
            throw error
        }
    }

    /// Takes the pending request back. A run that is under way goes on.
    public func cancel() { scheduler.cancel(identifier) }

    // MARK: - A run

    /// What a run shares with its expiry.
    private final class Run: Sendable {
        struct Parts {
            var cycle = RunLifeCycle()
            var task: Task<Void, Never>?
        }
        let parts = Mutex(Parts())
    }

    private func launched(_ task: any BackgroundRun) {
        state.withLock { $0.runs += 1 }
        let run = Run()
        // Before anything is begun: the time may be over at once.
        task.whenExpired { [self] in
            let (isOurs, work) = run.parts.withLock { parts in
                (parts.cycle.expire(), parts.task)
            }
            guard isOurs else { return }
            work?.cancel()
            state.withLock { $0.expiredRuns += 1 }
            task.complete(success: false)
        }
        run.parts.withLock { parts in
            guard parts.cycle.begin() else { return }
            // Cancelled by the expiry; nobody waits for it.
            parts.task = Task {
                let succeeded = await perform()
                let isOurs = run.parts.withLock { $0.cycle.finish() }
                if isOurs { task.complete(success: succeeded) }
            }
        }
    }

    private func perform() async -> Bool {
        // The next one first: whatever becomes of this one, there is another.
        do throws(BackgroundError) {
            try await submit()
        } catch {
            // `status` says so, and the next launch of the app asks again.
        }
        do {
            try Task.checkCancellation()
            try await work()
            return !Task.isCancelled
        } catch {
            return false
        }
    }
}

/// The identifiers that are registered in a process.
package final class BackgroundRegistry: Sendable {
    private let taken = Mutex<Set<String>>([])

    package static let ofProcess = BackgroundRegistry()

    package init() {}

    /// - Returns: whether nobody had it.
    package func claim(_ identifier: String) -> Bool {
        taken.withLock { $0.insert(identifier).inserted }
    }

    /// Gives one back that the system did not take.
    package func release(_ identifier: String) { taken.withLock { _ = $0.remove(identifier) } }
}
