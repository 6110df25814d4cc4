//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform

/// When what is on disk can be read (R35). The names are those of Apple's systems.
public enum ProtectionLevel: UInt8, Hashable, Sendable, CaseIterable {
    /// Always: it is not encrypted.
    case none = 0
    /// While things are unlocked.
    case complete = 1
    /// While things are unlocked, and by whoever has it open already. New files can be made at any
    /// time.
    case completeUnlessOpen = 2
    /// From the first unlocking on.
    case completeUntilFirstUserAuthentication = 3
    /// Until the user has been away for a while.
    case completeWhenUserInactive = 4

    /// The name in attributes, JSON and commands: `completeUnlessOpen`.
    public var name: String {
        switch self {
        case .none: "none"
        case .complete: "complete"
        case .completeUnlessOpen: "completeUnlessOpen"
        case .completeUntilFirstUserAuthentication: "completeUntilFirstUserAuthentication"
        case .completeWhenUserInactive: "completeWhenUserInactive"
        }
    }

    /// - Returns: nil if no level has this name.
    public init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }

    /// The level that a class of Apple's file systems means (`PROTECTION_CLASS_A` to `_D`, and `_CX`, of XNU's
    /// `sys/content_protection.h`).
    ///
    /// - Returns: nil for a class that is none of them, as one of a later system.
    package init?(systemClass: ProtectionClass) {
        switch systemClass.number {
        case 1: self = .complete
        case 2: self = .completeUnlessOpen
        case 3: self = .completeUntilFirstUserAuthentication
        case 4: self = .none
        case 7: self = .completeWhenUserInactive
        default: return nil
        }
    }

    /// In words: `readable while unlocked`.
    public var summary: String {
        switch self {
        case .none: "not encrypted"
        case .complete: "readable while unlocked"
        case .completeUnlessOpen: "readable while unlocked or open; can be made while locked"
        case .completeUntilFirstUserAuthentication: "readable from the first unlocking on"
        case .completeWhenUserInactive: "readable until the user is away"
        }
    }
}
