//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// on: macOS iOS tvOS watchOS visionOS
// fails: cannot use mutating member on immutable value: 'url' is a 'let' constant

import Foundation

func exclude() throws {
    let url = URL(fileURLWithPath: "/tmp")
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    try url.setResourceValues(values)
}
