//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension String {
    /// Not by characters, of which one may be as long as it likes.
    package func shortened(to limit: Int) -> String {
        guard unicodeScalars.count > limit else { return self }
        return String(unicodeScalars.prefix(limit)) + "…"
    }
}
