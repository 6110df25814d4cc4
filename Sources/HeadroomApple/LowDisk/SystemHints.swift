//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import Foundation

/// The system's hints that space is short, from the notices of a center; those about memory are none.
package final class SystemHints {
    /// By its name: the constant is deprecated in systems where the notice may still come, and is not there
    /// on macOS.
    package static let name = "NSBundleResourceRequestLowDiskSpaceNotification"

    /// An element for hints that have come since the last.
    package let hints: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let center: NotificationCenter
    private let observer: any NSObjectProtocol

    /// Listens from now on, until the end of its life.
    package init(_ center: NotificationCenter) {
        let (hints, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.hints = hints
        self.continuation = continuation
        self.center = center
        observer = center.addObserver(
            // mutation: r23g-1
            forName: Notification.Name(Self.name), object: nil, queue: nil
        ) { _ in continuation.yield() }
    }

    /// Takes no more, after those that have come.
    package func end() {
        center.removeObserver(observer)
        continuation.finish()
    }

    deinit { end() }
}
