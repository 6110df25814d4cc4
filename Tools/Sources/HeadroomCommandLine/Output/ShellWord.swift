//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
package import SystemPackage

/// A word as it can be pasted into a shell.
package struct ShellWord: CustomStringConvertible {
    package let description: String

    /// A word as it was typed, or with `~/` for the home directory.
    package init(_ text: String) {
        description =
            text == "~" || text.hasPrefix("~/")
            ? Self.inHome(String(text.dropFirst(2)).shellText, isHome: text.count < 3)
            : text.shellText
    }

    /// A path, with `~/` for the home directory.
    package init(_ path: FilePath) {
        guard let home = Terminal.variable("HOME"), !home.isEmpty, home != "/" else {
            description = path.shellText
            return
        }
        var rest = path
        guard rest.removePrefix(FilePath(home)) else {
            description = path.shellText
            return
        }
        description = Self.inHome(rest.shellText, isHome: rest.isEmpty)
    }

    /// The shell finds the home only where it is not quoted.
    private static func inHome(_ rest: String, isHome: Bool) -> String {
        isHome ? "~" : "~/" + rest
    }
}
