//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import HeadroomPlatform
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where an open file keeps its keys and the chunk that it has read last, and from where locking takes
/// both.
final class FileKeySlot: Sendable {
    private struct State {
        var keys: FileKeys?
        var latest: (index: Int64, plain: Data)?
    }

    private let state = Mutex(State())

    var current: FileKeys? { state.withLock { $0.keys } }

    func set(_ keys: FileKeys) { state.withLock { $0.keys = keys } }

    func clear() { state.withLock { $0 = State() } }

    func latest(_ index: Int64) -> Data? {
        state.withLock { $0.latest?.index == index ? $0.latest?.plain : nil }
    }

    /// Keeps a chunk, unless things were locked since it was read.
    func keep(_ plain: Data, _ index: Int64) {
        state.withLock { state in
            if state.keys != nil { state.latest = (index, plain) }
        }
    }
}
#endif
