//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// Answers on a socket that is listened on already, which Hummingbird's own server does not take.
///
/// Everything above the socket is Hummingbird's: its HTTP, its requests, its responses.
struct InheritedServer: Service {
    let responder: RouterResponder<BasicRequestContext>
    let configuration: HTTP1Channel.Configuration
    let socket: InheritedSocket
    /// More wait until others are closed: connections that are being closed still count for a moment.
    let connections: Int
    let logger: Logger
    let onServerRunning: @Sendable (any Channel) async -> Void

    func run() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let quiescing = ServerQuiescingHelper(group: group)
        let http = HTTP1Channel(responder: respond, configuration: configuration)
        // It closes its descriptor at the end; systemd's and the one that was handed over stay.
        let server = try await ServerBootstrap(group: group)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        quiescing.makeServerChannelHandler(channel: channel))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .bind(try socket.duplicate()) { http.setup(channel: $0, logger: logger) }
        await withGracefulShutdownHandler {
            await onServerRunning(server.channel)
            await take(server, http)
        } onGracefulShutdown: {
            quiescing.initiateShutdown(promise: nil)
        }
    }

    private func take(
        _ server: NIOAsyncChannel<HTTP1Channel.Value, Never>, _ http: HTTP1Channel
    ) async {
        await withTaskGroup(of: Void.self) { group in
            do {
                try await server.executeThenClose { inbound in
                    var taken = 0
                    for try await connection in inbound {
                        // While this waits no more are accepted than the channel keeps at hand.
                        if taken == connections { await group.next() } else { taken += 1 }
                        group.addTask { await http.handle(value: connection, logger: logger) }
                    }
                }
            } catch {
                logger.error("could not take connections", metadata: ["error": "\(error)"])
            }
        }
    }

    @Sendable @concurrent private func respond(
        _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        let context = BasicRequestContext(source: .init(channel: channel, logger: logger))
        let response: Response
        do {
            response = try await responder.respond(to: request, context: context)
        } catch let error as HTTPParserError {
            throw error
        } catch {
            response = Response(status: .internalServerError)
        }
        do {
            try await writer.write(response: response.head, body: response.body)
        } catch is HTTPParserError {
            // What follows the request is no HTTP, and this answer has begun: there is no other.
            throw ConnectionBroken()
        }
    }

    private struct ConnectionBroken: Error {}
}
