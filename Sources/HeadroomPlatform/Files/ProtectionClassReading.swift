//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Tells which classes files have; scripted in tests, since Linux has none.
package protocol ProtectionClassReading: Sendable {
    /// Whether files have classes on this system.
    var isKept: Bool { get }

    /// - Returns: nil where there is none, or it cannot be told.
    func classOfFile(_ descriptor: Int32) -> ProtectionClass?
}

/// The system's own word. Nothing is decided here.
package struct SystemProtectionClasses: ProtectionClassReading {
    package init() {}

    package var isKept: Bool { ProtectionClass.isKept }

    package func classOfFile(_ descriptor: Int32) -> ProtectionClass? {
        ProtectionClass(of: descriptor)
    }
}
