//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// By which an action says how far it has come, so that the progress of its clean-up moves while it runs.
///
///     storage.registerCleanUpAction("Messages", "compact", usually: .seconds(20)) { progress in
///         for (number, conversation) in conversations.enumerated() {
///             try await conversation.compact()
///             progress.report(Double(number + 1) / Double(conversations.count))
///         }
///     }
public struct CleanUpActionProgress: Sendable {
    let note: @Sendable (Double) -> Void

    /// Says which part of the action is done, 0…1; from any thread. Less than was said before is not heard,
    /// nor is an action that was left behind.
    public func report(_ fraction: Double) { note(fraction) }
}
