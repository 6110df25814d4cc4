//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomApple
import HeadroomPlatform
import Synchronization

/// A scheduler that behaves as the system's does, and takes down the mistakes for which that one ends the app.
final class ScriptedScheduler: BackgroundScheduling {
    struct State {
        var hasFinishedLaunching = false
        /// Identifiers that are in the Info.plist.
        var permitted: Set<String> = ["clean-up"]
        var handlers: [String: @Sendable (any BackgroundRun) -> Void] = [:]
        var pending: [BackgroundRequest] = []
        /// What the next submissions are answered with.
        var refusals: [BackgroundError] = []
        var faults: [String] = []
    }

    private let state: Mutex<State>

    init(_ state: sending State = State()) {
        self.state = Mutex(state)
    }

    var faults: [String] { state.withLock { $0.faults } }
    var pending: [BackgroundRequest] { state.withLock { $0.pending } }

    var hasFinishedLaunching: Bool { state.withLock { $0.hasFinishedLaunching } }

    func finishLaunching() { state.withLock { $0.hasFinishedLaunching = true } }

    func refuseNext(_ error: BackgroundError) { state.withLock { $0.refusals.append(error) } }

    func register(
        _ identifier: String, launch: @escaping @Sendable (any BackgroundRun) -> Void
    ) -> Bool {
        state.withLock { state in
            if state.hasFinishedLaunching { state.faults.append("registered late") }
            if state.handlers[identifier] != nil { state.faults.append("registered twice") }
            guard state.permitted.contains(identifier) else { return false }
            state.handlers[identifier] = launch
            return true
        }
    }

    func submit(_ request: BackgroundRequest) async throws(BackgroundError) {
        let refusal = state.withLock { state -> BackgroundError? in
            if state.handlers[request.identifier] == nil {
                state.faults.append("submitted without handler")
            }
            guard state.refusals.isEmpty else { return state.refusals.removeFirst() }
            state.pending.removeAll { $0.identifier == request.identifier }
            state.pending.append(request)
            return nil
        }
        if let refusal { throw refusal }
    }

    func pendingRequest(_ identifier: String) async -> BackgroundRequest? {
        pending.first { $0.identifier == identifier }
    }

    /// So much time passes.
    func advance(by time: Duration) {
        state.withLock { state in
            for index in state.pending.indices { state.pending[index].delay -= time }
        }
    }

    /// As if an earlier launch of the app had asked for it.
    func replacePending(with request: BackgroundRequest) {
        state.withLock { $0.pending = [request] }
    }

    func cancel(_ identifier: String) {
        state.withLock { $0.pending.removeAll { $0.identifier == identifier } }
    }

    /// The system has time now.
    func launch(_ run: ScriptedRun, identifier: String = "clean-up") {
        let handler = state.withLock { state in
            state.pending.removeAll { $0.identifier == identifier }
            return state.handlers[identifier]
        }
        handler?(run)
    }
}

/// A run whose time is over when a test says so.
final class ScriptedRun: BackgroundRun {
    private struct State {
        var handler: (@Sendable () -> Void)?
        var expiresAtOnce: Bool
    }

    private let state: Mutex<State>
    private let completed = AsyncStream.makeStream(of: Bool.self)

    /// - Parameter expiresAtOnce: its time is over before anything could be begun.
    init(expiresAtOnce: Bool = false) {
        state = Mutex(State(expiresAtOnce: expiresAtOnce))
    }

    func whenExpired(_ handler: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            state.handler = handler
            return state.expiresAtOnce
        }
        if isOver { expire() }
    }

    func complete(success: Bool) { completed.continuation.yield(success) }

    func expire() {
        // As the system does: it is called once.
        let handler = state.withLock { state in
            defer { state.handler = nil }
            return state.handler
        }
        handler?()
    }

    /// The first completion.
    func completion() async -> Bool? {
        var iterator = completed.stream.makeAsyncIterator()
        return await iterator.next()
    }

    /// All completions so far, after which there can be no other.
    func allCompletions() async -> [Bool] {
        completed.continuation.finish()
        var all: [Bool] = []
        for await success in completed.stream { all.append(success) }
        return all
    }
}
