//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Hummingbird
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Decides which connections of an address are closed when there are too many.
///
/// Another user of the machine can open as many connections as there are, and needs no token for it. So a new
/// connection is always accepted, and the oldest connection without a token is closed instead, one without
/// a request if possible. Connections that have brought the token have slots of their own.
package final class ConnectionSlots: Sendable {
    package struct Limits: Sendable {
        /// Connections that have not brought the token.
        package var strangers: Int
        /// Of one peer address.
        package var strangersOfPeer: Int
        /// Connections that have brought it.
        package var known: Int

        /// All together. Connections that are being closed still count for a moment.
        package var total: Int { strangers + known + 1 }

        package init(strangers: Int = 48, strangersOfPeer: Int = 32, known: Int = 48) {
            self.strangers = strangers
            self.strangersOfPeer = strangersOfPeer
            self.known = known
        }
    }

    private struct Slot {
        let number: UInt64
        let peer: String
        let close: @Sendable () -> Void
        var isKnown = false
        var isBusy = false
    }

    private let limits: Limits
    private let state = Mutex((slots: [UInt64: Slot](), count: UInt64(0)))

    package init(_ limits: Limits = Limits()) { self.limits = limits }

    /// Takes a connection in, and closes another one if there are too many.
    ///
    /// - Parameters:
    ///   - peer: its address, without the port.
    ///   - close: closes it; called from any thread.
    /// - Returns: its number.
    package func open(_ peer: String, close: @escaping @Sendable () -> Void) -> UInt64 {
        let (number, surplus) = state.withLock { state in
            state.count += 1
            let number = state.count
            state.slots[number] = Slot(number: number, peer: peer, close: close)
            // mutation: r38a-4
            let strangers = state.slots.values.filter { !$0.isKnown }
            let ofPeer = strangers.filter { $0.peer == peer }
            var surplus: Slot?
            // mutation: r38a-3
            if ofPeer.count > limits.strangersOfPeer {
                surplus = Self.oldest(ofPeer)
            } else if strangers.count > limits.strangers {
                surplus = Self.oldest(strangers)
            }
            if let surplus { state.slots[surplus.number] = nil }
            return (number, surplus)
        }
        // mutation: r38a-5/1 (2 lines)
        surplus?.close()
        return number
    }

    /// Takes that a request has come, or that its response is complete.
    package func set(_ number: UInt64, isBusy: Bool) {
        state.withLock { $0.slots[number]?.isBusy = isBusy }
    }

    /// Takes that a connection has brought the token.
    package func setKnown(_ number: UInt64) {
        let surplus = state.withLock { state -> Slot? in
            guard state.slots[number]?.isKnown == false else { return nil }
            state.slots[number]?.isKnown = true
            let known = state.slots.values.filter { $0.isKnown && $0.number != number }
            guard known.count >= limits.known, let surplus = Self.oldest(known) else { return nil }
            state.slots[surplus.number] = nil
            return surplus
        }
        surplus?.close()
    }

    package func remove(_ number: UInt64) { state.withLock { $0.slots[number] = nil } }

    /// How many there are, for tests.
    package var count: Int { state.withLock { $0.slots.count } }

    private static func oldest(_ slots: [Slot]) -> Slot? {
        slots.min { ($0.isBusy ? 1 : 0, $0.number) < ($1.isBusy ? 1 : 0, $1.number) }
    }
}

/// Reports the requests and responses of one connection to the slots.
final class ConnectionSlotHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let slots: ConnectionSlots
    private var number: UInt64?
    /// The request that is being answered came with a token, to a route that takes only the right one.
    private var hasToken = false

    init(_ slots: ConnectionSlots) { self.slots = slots }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { open(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        open(context)
        context.fireChannelActive()
    }

    private func open(_ context: ChannelHandlerContext) {
        guard number == nil else { return }
        let channel = context.channel
        number = slots.open(channel.remoteAddress?.ipAddress ?? "socket") {
            channel.close(promise: nil)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data), let number {
            hasToken =
                head.headerFields[.authorization] != nil
                && head.path?.hasPrefix(APIRoutes.prefix + "/") == true
            slots.set(number, isBusy: true)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head):
            // mutation: r38a-6
            if hasToken, head.status.kind == .successful, let number { slots.setKnown(number) }
        case .body: break
        case .end: if let number { slots.set(number, isBusy: false) }
        }
        context.write(data, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        remove()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { remove() }

    private func remove() {
        if let number { slots.remove(number) }
        number = nil
    }
}
