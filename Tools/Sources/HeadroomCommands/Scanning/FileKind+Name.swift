//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine

extension FileKind {
    /// As people call it: `disk image`.
    package var spokenName: String {
        switch self {
        case .diskImage: "disk image"
        default: name
        }
    }
}
