//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What Headroom calls of AppKit, declared in our own words.

@_exported public import Foundation

@available(macOS 10.0, *)
@MainActor
open class NSApplication: NSObject {
    public class var shared: NSApplication { preconditionFailure("a stub") }
    @available(macOS 12.0, *)
    public var isProtectedDataAvailable: Bool { true }
    @available(macOS 12.0, *)
    public nonisolated static var protectedDataDidBecomeAvailableNotification: Notification.Name {
        preconditionFailure("a stub")
    }
    @available(macOS 12.0, *)
    public nonisolated static var protectedDataWillBecomeUnavailableNotification: Notification.Name
    {
        preconditionFailure("a stub")
    }
}
