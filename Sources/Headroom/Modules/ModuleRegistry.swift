//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization

/// The modules of an app, and which of them are at work.
final class ModuleRegistry: Sendable {
    private struct State {
        var modules: [any StorageModule] = []
    }
    private let state = Mutex(State())
    let work = WorkInHand<String>()
    let turns = ModuleTurns()

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
}
