//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

extension FilePath {
    /// The path without `.` and doubled slashes, and without `..` where that is known.
    ///
    /// What `..` leads to is the system's to say: after a link it is the directory around the link's target, and
    /// not what stands before it in the text. So it is looked up, which blocks, where there is one; where nothing is
    /// there, or it may not be looked at, the path keeps it, and names nothing but what the system says.
    package var settled: FilePath {
        guard hasDotNames else { return self }
        guard let last = components.lastIndex(where: { $0.kind == .parentDirectory }) else {
            return lexicallyNormalized()
        }
        let upTo = FilePath(root: root, components[...last])
        // mutation: s11b-3
        guard let real = try? ResolvedDirectory(upTo).path else { return self }
        let rest = FilePath(root: nil, components[components.index(after: last)...])
        return real.appending(rest.components).lexicallyNormalized()
    }
}
