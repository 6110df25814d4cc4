//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
package import SystemPackage

extension FilePath {
    /// The path for people, with `~` for the home directory.
    package var homeRelativeText: String {
        guard let home = Terminal.variable("HOME"), !home.isEmpty, home != "/" else {
            return displayText
        }
        var rest = self
        guard rest.removePrefix(FilePath(home)) else { return displayText }
        return rest.isEmpty ? "~" : "~/" + rest.displayText
    }
}
