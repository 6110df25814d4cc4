//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
public import HeadroomPlatform
import Synchronization

/// Room that was made and is kept for its owner, until it is written, finished, or the process ends.
///
/// Processes that share a ledger do not count it as free. Others know nothing of it: to keep it from
/// them as well, name the destination when room is made, and the blocks are really taken.
public final class Reservation: Sendable {
    private struct State {
        var slot: ReservationSlot?
        var bytes: ByteCount
    }

    private let state: Mutex<State>
    /// What was purged to make the room; nil: there was enough.
    public let receipt: Receipt?

    init(_ slot: sending ReservationSlot?, _ bytes: ByteCount, _ receipt: Receipt?) {
        state = Mutex(State(slot: slot, bytes: bytes))
        self.receipt = receipt
    }

    /// What is still reserved.
    public var bytes: ByteCount { state.withLock { $0.bytes } }

    /// Gives up a part that has been written: the volume counts it as used from now on.
    public func reduce(by written: ByteCount) {
        state.withLock { state in
            state.bytes = max(.zero, state.bytes - max(.zero, written))
            // If it cannot be told, others see less room than there is, which does no harm.
            try? state.slot?.set(state.bytes)
            if state.bytes == .zero { state.slot = nil }
        }
    }

    /// Gives up what is left.
    public func finish() {
        state.withLock { state in
            state.bytes = .zero
            state.slot = nil
        }
    }
}
