//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// The modules of an app, and which of them are at work.
final class ModuleRegistry: Sendable {
    private struct State {
        var modules: [any StorageModule] = []
        /// Called and not yet returned.
        var busy: Set<String> = []
        var isRunning = false
    }
    private let state = Mutex(State())

    /// In the order in which they were registered.
    var modules: [any StorageModule] { state.withLock { $0.modules } }

    func register(_ module: any StorageModule) {
        state.withLock { state in
            if let index = state.modules.firstIndex(where: { $0.id == module.id }) {
                state.modules[index] = module
            } else {
                state.modules.append(module)
            }
        }
    }

    /// - Returns: whether there was one.
    func unregister(id: String) -> Bool {
        state.withLock { state in
            let count = state.modules.count
            state.modules.removeAll { $0.id == id }
            return state.modules.count != count
        }
    }

    /// - Returns: false if it has not yet returned from an earlier call.
    func begin(_ id: String) -> Bool { state.withLock { $0.busy.insert(id).inserted } }

    func end(_ id: String) { state.withLock { _ = $0.busy.remove(id) } }

    /// - Returns: false if another run is under way.
    func beginRun() -> Bool {
        state.withLock { state in
            if state.isRunning { return false }
            state.isRunning = true
            return true
        }
    }

    func endRun() { state.withLock { $0.isRunning = false } }
}
