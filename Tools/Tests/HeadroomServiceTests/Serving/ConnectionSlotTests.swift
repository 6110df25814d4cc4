//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPromises
import HeadroomService
import Synchronization
import Testing

/// Which connections are closed when there are too many.
struct ConnectionSlotTests {
    private let closed = Closed()
    private let slots: ConnectionSlots

    private final class Closed: Sendable {
        let names = Mutex<[String]>([])
    }

    init() {
        slots = ConnectionSlots(.init(strangers: 4, strangersOfPeer: 3, known: 2))
    }

    @discardableResult
    private func open(_ name: String, _ peer: String) -> UInt64 {
        slots.open(peer) { [closed] in closed.names.withLock { $0.append(name) } }
    }

    private var gone: [String] { closed.names.withLock { $0 } }

    @Test("The oldest idle connection of a peer makes way for its next one")
    func limitsPeers() {
        let first = open("a1", "a")
        slots.set(first, isBusy: true)
        for name in ["a2", "a3"] { open(name, "a") }
        open("b1", "b")
        #expect(gone == [])
        open("a4", "a")
        #expect(gone == ["a2"])
        open("b2", "b")
        #expect(gone == ["a2", "a3"])
        slots.set(first, isBusy: false)
        open("b3", "b")
        #expect(gone == ["a2", "a3", "a1"])
    }

    @Test(
        "A peer with too many connections loses its own, and not the older ones of others",
        .tags(.r38a))
    func takesFromTheSamePeer() {
        open("b1", "b")
        for name in ["a1", "a2", "a3"] { open(name, "a") }
        open("a4", "a")
        #expect(gone == ["a1"])
    }

    @Test("Connections with the token are not closed for others", .tags(.r38a))
    func keepsKnown() {
        let known = open("known", "a")
        slots.setKnown(known)
        for number in 0..<20 { open("\(number)", "a") }
        #expect(!gone.contains("known"))
        #expect(slots.count == 4)
        for number in 20..<23 { slots.setKnown(open("\(number)", "a")) }
        // Of those with the token there are two: the oldest made way.
        #expect(gone.contains("known"))
    }
}
