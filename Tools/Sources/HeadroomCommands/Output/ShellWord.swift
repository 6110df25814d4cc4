//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A word as it can be pasted into a shell.
package struct ShellWord: CustomStringConvertible {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    package var description: String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "/._-+:,@%=~".utf8.contains(byte)
                }
            }
        guard !isPlain else { return text }
        // The shell finds the home only where it is not quoted.
        let home = text.hasPrefix("~/") ? "~/" : ""
        return home + "'"
            + text.dropFirst(home.count).split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "'\\''") + "'"
    }
}
