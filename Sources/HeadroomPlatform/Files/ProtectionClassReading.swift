//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

/// Tells which classes files have; scripted in tests, since Linux has none.
package protocol ProtectionClassReading: Sendable {
    /// Whether files have classes on this system.
    var isKept: Bool { get }

    /// - Returns: nil where there is none, or it cannot be told.
    func classOfFile(_ descriptor: Int32) -> ProtectionClass?
}

/// Gives files their classes, too.
package protocol ProtectionClassKeeping: ProtectionClassReading {
    /// - Throws: `EPERM` for a class that cannot be given while the device is locked.
    func give(_ protection: ProtectionClass, to descriptor: Int32) throws(Errno)
}

/// The system's own word. Nothing is decided here.
package struct SystemProtectionClasses: ProtectionClassKeeping {
    package init() {}

    package var isKept: Bool { ProtectionClass.isKept }

    package func classOfFile(_ descriptor: Int32) -> ProtectionClass? {
        ProtectionClass(of: descriptor)
    }

    package func give(_ protection: ProtectionClass, to descriptor: Int32) throws(Errno) {
        try protection.apply(to: descriptor)
    }
}
