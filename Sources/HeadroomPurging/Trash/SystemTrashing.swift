//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import SystemPackage

/// A trash to which the system moves things by itself, as Apple's do; scripted in tests.
package protocol SystemTrashing: Sendable {
    /// Moves something to the trash.
    ///
    /// - Parameter path: has been looked at just now.
    /// - Returns: where it is then; nil if the system does not say.
    /// - Throws: what kept it from moving: it is where it was.
    func put(_ path: FilePath) throws(HeadroomError) -> FilePath?
}
