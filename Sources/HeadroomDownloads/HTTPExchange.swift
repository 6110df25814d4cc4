//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomPlatform
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Takes what comes as the answer to a request. Called on the session's queue, one call at a time.
protocol ResponseReceiver: Sendable {
    /// - Returns: whether the body is wanted.
    func receive(_ response: HTTPURLResponse) -> Bool

    /// - Returns: whether more is wanted.
    func receive(_ data: Data) -> Bool
}

/// One request and what comes of it.
final class HTTPExchange: Sendable {
    enum Stop: Hashable {
        /// The receiver wants no more.
        case unwanted
        case cancelled
        case stalled
    }

    enum Ending: Sendable {
        case finished
        case stopped(Stop)
        case failed(any Error)
    }

    private struct State {
        var task: URLSessionTask?
        var continuation: CheckedContinuation<Ending, Never>?
        var stop: Stop?
        /// While the receiver is at work, it is not the server that nothing comes from.
        var isBusy = false
        var lastActivity = ContinuousClock.now
    }

    private let receiver: any ResponseReceiver
    private let state = Mutex(State())

    init(_ receiver: any ResponseReceiver) {
        self.receiver = receiver
    }

    var task: URLSessionTask? { state.withLock { $0.task } }

    /// - Returns: whether it has been stopped already.
    func begin(
        _ task: URLSessionTask, _ continuation: CheckedContinuation<Ending, Never>
    ) -> Bool {
        state.withLock { state in
            state.task = task
            state.continuation = continuation
            state.lastActivity = .now
            return state.stop != nil
        }
    }

    /// Takes nothing more; the first reason counts.
    func stop(_ reason: Stop) {
        state.withLock { $0.stop = $0.stop ?? reason }
    }

    func end(_ error: (any Error)?) {
        let (continuation, stop) = state.withLock { state in
            let continuation = state.continuation
            state.continuation = nil
            state.task = nil
            return (continuation, state.stop)
        }
        continuation?.resume(
            returning: stop.map(Ending.stopped) ?? error.map(Ending.failed) ?? .finished)
    }

    // MARK: - What comes

    func receive(_ response: URLResponse) -> Bool {
        guard let response = response as? HTTPURLResponse else { return false }
        return take { $0.receive(response) }
    }

    func receive(_ data: Data) -> Bool { take { $0.receive(data) } }

    private func take(_ body: (any ResponseReceiver) -> Bool) -> Bool {
        let isStopped = state.withLock { state in
            state.isBusy = true
            return state.stop != nil
        }
        let goesOn = !isStopped && body(receiver)
        state.withLock { state in
            state.isBusy = false
            state.lastActivity = .now
        }
        return goesOn
    }

    /// Follows a redirect, unless it has been stopped.
    ///
    /// Foundation on Linux crashes when it is answered after the task was cancelled. So the answer is
    /// given under the lock: either it comes before the cancellation, or not at all.
    func redirect(
        from url: URL?, to request: URLRequest, _ completionHandler: (URLRequest?) -> Void
    ) {
        var request = request
        let isSameServer =
            url?.scheme == request.url?.scheme && url?.host == request.url?.host
            && url?.port == request.url?.port
        if !isSameServer {
            for name in ["Authorization", "Cookie", "Proxy-Authorization"] {
                request.setValue(nil, forHTTPHeaderField: name)
            }
        }
        state.withLock { state in
            state.lastActivity = .now
            #if canImport(Darwin)
            completionHandler(state.stop == nil ? request : nil)
            #else
            if state.stop == nil { completionHandler(request) }
            #endif
        }
    }

    // MARK: - Stalling

    /// Calls `stop` when nothing has come for a while; returns when the task is cancelled.
    func watch(for timeout: Duration, _ stop: (Stop) -> Void) async {
        while true {
            let (last, isBusy) = state.withLock { ($0.lastActivity, $0.isBusy) }
            let now = ContinuousClock.now
            let deadline = (isBusy ? now : last) + timeout
            if deadline <= now { return stop(.stalled) }
            do {
                try await Task.sleep(until: deadline, clock: .continuous)
            } catch {
                return
            }
        }
    }
}
