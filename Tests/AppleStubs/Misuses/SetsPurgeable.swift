//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// on: macOS iOS tvOS watchOS visionOS
// fails: cannot assign to property: 'isPurgeable' is a get-only property

import Foundation

func markAsPurgeable(_ place: URL) throws {
    var url = place
    var values = URLResourceValues()
    values.isPurgeable = true
    try url.setResourceValues(values)
}
