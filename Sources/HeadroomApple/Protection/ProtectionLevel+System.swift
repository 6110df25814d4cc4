//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine

extension ProtectionLevel {
    /// The name that the system has for it (`FileProtectionType`).
    package var systemName: String {
        switch self {
        case .none: "NSFileProtectionNone"
        // mutation: r35a-4 (2 lines)
        case .complete: "NSFileProtectionComplete"
        case .completeUnlessOpen: "NSFileProtectionCompleteUnlessOpen"
        case .completeUntilFirstUserAuthentication:
            "NSFileProtectionCompleteUntilFirstUserAuthentication"
        case .completeWhenUserInactive: "NSFileProtectionCompleteWhenUserInactive"
        }
    }

    /// - Returns: nil for a name that means none of them.
    package init?(systemName: String) {
        guard let found = Self.allCases.first(where: { $0.systemName == systemName }) else {
            return nil
        }
        self = found
    }
}
