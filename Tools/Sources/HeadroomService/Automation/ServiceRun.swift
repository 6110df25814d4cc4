//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
public import Logging
import ServiceLifecycle
import UnixSignals

/// One run of the service: until a signal ends it.
public struct ServiceRun: Sendable {
    private let supervisor: AutomationSupervisor
    private let logger: Logger

    public init(_ supervisor: AutomationSupervisor, logger: Logger) {
        self.supervisor = supervisor
        self.logger = logger
    }

    /// The lock that lets one service run for a user.
    ///
    /// - Throws: `busy`, with who holds it.
    public static func lock(
        _ workspace: Workspace, holder: String
    ) throws(HeadroomError) -> InstanceLock {
        try InstanceLock("serve.lock", in: workspace.ledger.directory, holder: holder)
    }

    /// Runs until SIGTERM or SIGINT has come, and all is ended as it should be.
    public func run() async throws {
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: ProgramPages(), successTerminationBehavior: .ignore),
                    .init(service: supervisor),
                ],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
    }
}
