//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
package import SystemPackage

extension FilePath {
    /// Whether it, or a directory around it, is in a set.
    ///
    /// - Complexity: O(components).
    package func lies(in paths: Set<FilePath>) -> Bool {
        var current = self
        while true {
            if paths.contains(current) { return true }
            guard current.depth > 0 else { return false }
            current.removeLastComponent()
        }
    }
}
