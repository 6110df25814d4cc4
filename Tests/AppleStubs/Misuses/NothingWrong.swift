//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// on: macOS iOS tvOS watchOS visionOS

import Foundation

/// What is right passes, or the others would prove nothing.
func exclude(_ place: URL) throws -> Bool? {
    var url = place
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    try url.setResourceValues(values)
    return try url.resourceValues(forKeys: [.isPurgeableKey]).isPurgeable
}
