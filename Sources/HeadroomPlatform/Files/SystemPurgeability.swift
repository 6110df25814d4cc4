//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

#if canImport(Darwin)
import Foundation
#endif

/// The system's own word on what it may purge by itself: Apple's resource value `isPurgeable`, which
/// nobody can set. Elsewhere no system purges anything.
///
/// Compiled on Darwin alone, and not yet run there.
package enum SystemPurgeability {
    /// - Returns: nil where the system does not say.
    /// - Throws: what the system says of the file.
    package static func of(_ path: FilePath) throws(Errno) -> Bool? {
        #if canImport(Darwin)
        // A new one: a URL keeps what it was told.
        do {
            return try URL(fileURLWithPath: path.string).resourceValues(forKeys: [.isPurgeableKey])
                .isPurgeable
        } catch {
            throw SystemError.number(of: error)
        }
        #else
        return nil
        #endif
    }
}
