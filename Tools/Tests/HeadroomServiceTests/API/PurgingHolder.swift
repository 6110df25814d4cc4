//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// Somebody else who purges, and is in the midst of it until told to go on.
struct PurgingHolder: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let task: Task<Void, any Error>

    /// Purges what may go under a workspace; returns when the first item has gone.
    init(_ workspace: Workspace) async throws {
        let (events, entered) = AsyncStream.makeStream(of: Void.self)
        let gate = gate
        // Awaited by `release`.
        task = Task {
            defer { entered.finish() }
            try await BlockingThread.run(lowersPriority: false) {
                let scope = workspace.scope()
                let plan = try scope.plan(
                    try scope.scan(), targets: [.free(ByteCount(1))])
                _ = try scope.purge(plan, requester: "another") { _ in
                    entered.yield()
                    gate.wait()
                }
            }
        }
        for await _ in events { break }
    }

    func release() async throws {
        gate.signal()
        try await task.value
    }
}
