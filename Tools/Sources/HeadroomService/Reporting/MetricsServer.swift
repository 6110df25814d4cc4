//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomConfiguration
import HeadroomEngine
public import Hummingbird
public import Logging

/// What is served beside the metrics.
public struct ServedPages: Sendable {
    /// Adds routes to a router, of which each address has one.
    public var addRoutes: @Sendable (Router<BasicRequestContext>) -> Void
    /// Called when an address answers, with the port.
    public var onListening: @Sendable (ListenAddress, Int?) -> Void

    public init(
        addRoutes: @escaping @Sendable (Router<BasicRequestContext>) -> Void,
        onListening: @escaping @Sendable (ListenAddress, Int?) -> Void
    ) {
        self.addRoutes = addRoutes
        self.onListening = onListening
    }
}

/// Serves metrics, and what else is given, on the addresses that the configuration has now, each by itself.
///
/// An address that cannot be had is told, and tried again every minute: who keeps room does not end because
/// somebody else has a port.
public actor MetricsServer {
    private let metrics: ServiceMetrics
    private let logger: Logger
    private let onTrouble: @Sendable (String) -> Void
    private let pages: ServedPages?
    private var servers: [ListenAddress: Task<Void, Never>] = [:]

    private static let retryInterval: Duration = .seconds(60)

    /// - Parameters:
    ///   - pages: what is served beside the metrics.
    ///   - onTrouble: told why an address cannot be had, in whole sentences.
    public init(
        _ metrics: ServiceMetrics, pages: ServedPages? = nil, logger: Logger,
        onTrouble: @escaping @Sendable (String) -> Void
    ) {
        self.pages = pages
        self.metrics = metrics
        self.logger = logger
        self.onTrouble = onTrouble
    }

    /// Serves on these addresses from now on, and on no others.
    public func use(_ addresses: [ListenAddress]) async {
        let old = servers.filter { !addresses.contains($0.key) }
        for address in old.keys { servers[address] = nil }
        for server in old.values { server.cancel() }
        for server in old.values { await server.value }
        for address in addresses where servers[address] == nil {
            // Cancelled and awaited here, when the address is given up.
            servers[address] = Task { await self.serve(address) }
        }
    }

    private nonisolated func serve(_ address: ListenAddress) async {
        while !Task.isCancelled {
            let router = LocalServer.makeRouter()
            metrics.addRoute(to: router)
            pages?.addRoutes(router)
            let server = LocalServer(router: router, addresses: [address], logger: logger) {
                [logger, pages] address, port in
                logger.notice(
                    "serving metrics",
                    metadata: [
                        "address": "\(address)", "port": "\(port.map { "\($0)" } ?? "none")",
                    ])
                pages?.onListening(address, port)
            }
            do {
                try await server.run()
                // The service ends.
                return
            } catch {
                guard !Task.isCancelled else { return }
                onTrouble((error as? HeadroomError)?.message ?? "\(error)")
            }
            // Cancelled: the loop ends.
            try? await Task.sleep(for: Self.retryInterval)
        }
    }
}
