//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Makes what a person typed a path that does not depend on the working directory.
enum Paths {
    /// The absolute path of something that need not exist, in a directory that does.
    ///
    /// Links on the way are resolved; the last component is left as it is, link or not.
    ///
    /// - Throws: ``HeadroomError`` if the text is empty, or the directory does not exist.
    static func absolute(_ text: String) throws(HeadroomError) -> FilePath {
        guard !text.isEmpty else {
            throw HeadroomError(.invalid, "The path is empty. Name a file or directory.")
        }
        var path = FilePath(text)
        guard let last = path.lastComponent, last.kind == .regular else {
            return try resolved(path)
        }
        path.removeLastComponent()
        return try resolved(path.isEmpty ? "." : path).appending(last)
    }

    private static func resolved(_ path: FilePath) throws(HeadroomError) -> FilePath {
        // realpath(3) allocates the result, which is freed as soon as it is copied.
        guard let base = unsafe path.withPlatformString({ unsafe realpath($0, nil) }) else {
            throw HeadroomError("find", path, Errno(rawValue: errno))
        }
        defer { unsafe free(base) }
        return unsafe FilePath(platformString: base)
    }

    /// The paths without those that lie in another one, each once, in their order.
    static func outermost(_ paths: [FilePath]) -> [FilePath] {
        var kept: [FilePath] = []
        for path in paths where !kept.contains(where: { path.starts(with: $0) }) {
            kept.removeAll { $0.starts(with: path) }
            kept.append(path)
        }
        return kept
    }
}
