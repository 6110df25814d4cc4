//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
public import HeadroomConfiguration
import HeadroomEngine
public import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
public import ServiceLifecycle
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Serves the routes of a router on loopback addresses and Unix sockets, until the service ends.
///
/// Requests for other hosts are refused. A socket is for its user alone, and lies in a directory that is
/// made for that user alone where it is missing.
public struct LocalServer: Service {
    private let responder: RouterResponder<BasicRequestContext>
    private let addresses: [ListenAddress]
    private let logger: Logger
    private let onListening: @Sendable (ListenAddress, Int?) async -> Void
    private let stall: Duration
    private let environment: [String: String]

    private let limits: ConnectionSlots.Limits
    /// For answers that are under way when it ends.
    private static let patience: Duration = .seconds(5)
    /// In bytes; a path of 4,095 bytes, each percent-encoded, fits.
    private static let headerLimit = 32 << 10

    /// - Parameters:
    ///   - router: with the routes; what all requests pass first is added by this.
    ///   - onListening: called when an address answers, with the port.
    public init(
        router: Router<BasicRequestContext>, addresses: [ListenAddress], logger: Logger,
        onListening: @escaping @Sendable (ListenAddress, Int?) async -> Void = { _, _ in }
    ) {
        self.init(
            router: router, addresses: addresses, logger: logger, stall: .seconds(60),
            onListening: onListening)
    }

    /// - Parameters:
    ///   - stall: how long a request may take to come, and an answer may wait for its reader.
    ///   - environment: in which systemd says which sockets it hands over.
    package init(
        router: Router<BasicRequestContext>, addresses: [ListenAddress], logger: Logger,
        stall: Duration, environment: [String: String] = ProcessInfo.processInfo.environment,
        onListening: @escaping @Sendable (ListenAddress, Int?) async -> Void = { _, _ in }
    ) {
        self.stall = stall
        limits = ConnectionSlots.Limits()
        self.environment = environment
        responder = router.buildResponder()
        self.addresses = addresses
        self.logger = logger
        self.onListening = onListening
    }

    /// A router whose requests are for this machine.
    public static func makeRouter() -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: ProtectiveHeaders())
        router.add(middleware: OwnHostOnly())
        router.add(middleware: OwnPagesOnly())
        return router
    }

    /// - Throws: ``HeadroomError`` where an address cannot be had, which ends the others as well.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for address in addresses {
                try Self.prepare(address)
                group.addTask { try await serve(address) }
            }
            // The first that fails ends the others.
            while try await group.next() != nil {}
        }
    }

    private func serve(_ address: ListenAddress) async throws {
        let bound: BindAddress
        switch address {
        case .loopback(let host, let port): bound = .hostname(host, port: port)
        case .socket(let path): bound = .unixDomainSocket(path: path.string)
        case .systemd: return try await serveInherited()
        }
        let application = Application(
            responder: responder,
            server: .http1(configuration: http(ConnectionSlots(limits))),
            configuration: .init(
                address: bound, serverName: nil,
                // mutation: r38a-5/2
                availableConnectionsDelegate: MaximumAvailableConnections(2 * limits.total)),
            onServerRunning: { channel in
                if case .socket(let path) = address { Self.restrict(path) }
                await onListening(address, channel.localAddress?.port)
            }, logger: logger)
        do {
            try await run(application)
        } catch {
            guard !Task.isCancelled else { throw CancellationError() }
            throw HeadroomError(
                .io,
                "Could not listen on \(address): \(error). Another service may have it; choose another "
                    + "under listen: in the configuration.")
        }
        // A socket that nobody answers on would be in the way of the next start.
        if case .socket(let path) = address {
            _ = unsafe path.withPlatformString { unsafe unlink($0) }
        }
    }

    /// Serves on all sockets on which systemd listens for this service.
    private func serveInherited() async throws {
        let sockets = try InheritedSocket.all(environment)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for socket in sockets {
                let server = InheritedServer(
                    responder: responder, configuration: http(ConnectionSlots(limits)),
                    socket: socket, connections: 2 * limits.total, logger: logger
                ) { await onListening(.systemd, $0.localAddress?.port) }
                group.addTask { try await run(server) }
            }
            // The first that fails ends the others.
            while try await group.next() != nil {}
        }
    }

    /// - Parameter slots: of the connections of one address.
    private func http(_ slots: ConnectionSlots) -> HTTP1Channel.Configuration {
        let limit = TimeAmount(stall)
        return .init(
            additionalChannelHandlers: [
                TargetAuthorityInstaller(), ConnectionSlotHandler(slots),
                ConnectionPatience(limit: limit),
            ],
            idleTimeout: .seconds(60),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: Self.headerLimit, maxHeaderListSize: Self.headerLimit,
                maxHeaderFieldCount: 100))
    }

    /// Runs until it fails, is cancelled, or the service ends; what is being answered then has its time.
    private func run(_ application: some Service) async throws {
        var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
        configuration.maximumGracefulShutdownDuration = Self.patience
        let group = ServiceGroup(configuration: configuration)
        // Not cancelled with this task, and awaited below: a server that is cancelled lets go of
        // connections it has not yet taken in, for which NIO ends the program.
        let running = Task { try await group.run() }
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await running.value
        } onCancelOrGracefulShutdown: {
            Task { await group.triggerGracefulShutdown() }
        }
    }

    // MARK: - Sockets

    /// Makes the directory of a socket, and removes one that a dead service has left.
    static func prepare(_ address: ListenAddress) throws(HeadroomError) {
        guard case .socket(let path) = address else { return }
        let directory = path.removingLastComponent()
        let made = unsafe directory.withPlatformString { unsafe mkdir($0, 0o700) }
        guard made == 0 || errno == EEXIST else {
            throw HeadroomError("make the directory", directory, Errno(rawValue: errno))
        }
        var status = stat()
        guard unsafe path.withPlatformString({ unsafe lstat($0, &status) }) == 0 else { return }
        guard UInt32(status.st_mode) & UInt32(S_IFMT) == UInt32(S_IFSOCK) else {
            throw HeadroomError(
                .refused,
                "\(path.displayText) is no socket, and is not replaced by one. Choose another path "
                    + "under listen: in the configuration.")
        }
        guard !answers(path) else {
            throw HeadroomError(
                .busy,
                "Another service listens on \(path.displayText). End it, or choose another path under "
                    + "listen: in the configuration.")
        }
        guard unsafe path.withPlatformString({ unsafe unlink($0) }) == 0 else {
            throw HeadroomError("remove the old socket", path, Errno(rawValue: errno))
        }
    }

    private static func answers(_ path: FilePath) -> Bool {
        #if canImport(Glibc)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { return false }
        defer { _ = close(descriptor) }
        // One who has many that wait, and takes none of them, lives all the same, and is not waited for.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.string.utf8)
        let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { buffer -> Bool in
            // Shorter than the field, which ends with a NUL then: the configuration sees to it.
            guard bytes.count < buffer.count else { return false }
            unsafe buffer.copyBytes(from: bytes)
            return true
        }
        guard fits else { return false }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                    || errno == EAGAIN || errno == EINPROGRESS
            }
        }
    }

    private static func restrict(_ path: FilePath) {
        // mutation: r29g-1
        _ = unsafe path.withPlatformString { unsafe chmod($0, 0o600) }
    }
}
