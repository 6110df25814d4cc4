//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What Headroom calls of UIKit, declared in our own words. In the SDK of watchOS it has no UIApplication:
// Scripts/check-apple leaves it out there.

@_exported public import Foundation

@available(iOS 2.0, tvOS 9.0, visionOS 1.0, *)
@MainActor
open class UIApplication: NSObject {
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    public class var shared: UIApplication { preconditionFailure("a stub") }
    public var isProtectedDataAvailable: Bool { true }
    public nonisolated static var protectedDataDidBecomeAvailableNotification: Notification.Name {
        preconditionFailure("a stub")
    }
    public nonisolated static var protectedDataWillBecomeUnavailableNotification: Notification.Name
    {
        preconditionFailure("a stub")
    }
    public nonisolated static var didBecomeActiveNotification: Notification.Name {
        preconditionFailure("a stub")
    }
}
