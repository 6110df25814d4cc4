//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization

/// Numbers for the users whose marks set classes for their own files alone, so that a walk can hand
/// one down in a few bits. Empty unless root scans a tree with such marks.
package final class GrantorTable: Sendable {
    /// The largest number that fits into the tag of a directory.
    private static let largest = 4095
    private let users = Mutex<[UInt32]>([])

    package init() {}

    /// The number of a user, from 1; nil if the table is full.
    package func number(of user: UInt32) -> UInt16? {
        users.withLock { users in
            if let index = users.firstIndex(of: user) { return UInt16(index + 1) }
            guard users.count < Self.largest else { return nil }
            users.append(user)
            return UInt16(users.count)
        }
    }

    /// The user of a number; nil for 0.
    package func user(_ number: UInt16) -> UInt32? {
        number == 0 ? nil : users.withLock { $0[Int(number) - 1] }
    }
}
