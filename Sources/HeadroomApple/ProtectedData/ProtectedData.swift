//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(iOS) || os(tvOS) || os(visionOS)
import Foundation
import UIKit

/// When files that are protected as `complete` can be read: while the device is unlocked.
///
///     for await change in ProtectedData.changes() where change == .available { await sync() }
public enum ProtectedData {
    /// Whether they can be read now. Not for extensions, which have no application to ask.
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    @MainActor
    public static var isAvailable: Bool { UIApplication.shared.isProtectedDataAvailable }

    /// The changes from the first call on, each once.
    public static func changes() -> AsyncStream<ProtectedDataChange> {
        ProtectedDataNotices.shared.watch.changes()
    }

    fileprivate static let becameAvailable = UIApplication
        .protectedDataDidBecomeAvailableNotification
    fileprivate static let becomesUnavailable = UIApplication
        .protectedDataWillBecomeUnavailableNotification
}
#elseif os(macOS)
import AppKit
import Foundation

/// When files that are protected as `complete` can be read: on a Mac with Apple silicon, while the user is
/// logged in.
///
///     for await change in ProtectedData.changes() where change == .available { await sync() }
public enum ProtectedData {
    /// Whether they can be read now.
    @MainActor
    public static var isAvailable: Bool { NSApplication.shared.isProtectedDataAvailable }

    /// The changes from the first call on, each once.
    public static func changes() -> AsyncStream<ProtectedDataChange> {
        ProtectedDataNotices.shared.watch.changes()
    }

    fileprivate static let becameAvailable = NSApplication
        .protectedDataDidBecomeAvailableNotification
    fileprivate static let becomesUnavailable = NSApplication
        .protectedDataWillBecomeUnavailableNotification
}
#endif

#if os(iOS) || os(tvOS) || os(visionOS) || os(macOS)
/// Hands on what the system says, for as long as the process lives.
private final class ProtectedDataNotices: Sendable {
    static let shared = ProtectedDataNotices()

    let watch = ProtectedDataWatch()

    private init() {
        let watch = watch
        for (name, change) in [
            (ProtectedData.becameAvailable, ProtectedDataChange.available),
            (ProtectedData.becomesUnavailable, .becomingUnavailable),
        ] {
            _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
                _ in
                watch.note(change)
            }
        }
    }
}
#endif
