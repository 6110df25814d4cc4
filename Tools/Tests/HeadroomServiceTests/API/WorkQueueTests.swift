//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import HeadroomRequests
import HeadroomService
import Testing

@Suite(.timeLimit(.minutes(10)))
struct WorkQueueTests {
    @Test func whoComesWhenTooManyWaitIsRefused() async throws {
        let queue = WorkQueue(limit: 1, waiting: 1)
        let gate = DispatchSemaphore(value: 0)
        let (events, entered) = AsyncStream.makeStream(of: Void.self)
        // Awaited below.
        let first = Task {
            try await queue.run {
                entered.yield()
                gate.wait()
            }
        }
        for await _ in events { break }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    do {
                        try await queue.run {}
                        return true
                    } catch let error as APIError where error == .tooMany {
                        return false
                    }
                }
            }
            // Whoever waits does so until the gate opens: the other was refused.
            let refused = try await group.next()
            #expect(refused == false)
            gate.signal()
            let waited = try await group.next()
            #expect(waited == true)
        }
        try await first.value
        let later = try await queue.run { "done" }
        #expect(later == "done")
    }
}
