//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
package import HeadroomPlatform
package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Makes what a person typed a path that does not depend on the working directory.
package enum Paths {
    /// The absolute path of something that need not exist, in a directory that does.
    ///
    /// Links on the way are resolved; the last component is left as it is, link or not.
    ///
    /// - Throws: ``HeadroomError`` if the text is empty, or the directory does not exist.
    package static func absolute(_ text: String) throws(HeadroomError) -> FilePath {
        guard !text.isEmpty else {
            throw HeadroomError(.invalid, "The path is empty. Name a file or directory.")
        }
        var path = FilePath(text)
        let named = path
        guard let last = path.lastComponent, last.kind == .regular else {
            return try resolved(path, named)
        }
        path.removeLastComponent()
        return try resolved(path.isEmpty ? "." : path, named).appending(last)
    }

    /// The absolute path of something that exists, a link itself included.
    package static func existing(_ text: String) throws(HeadroomError) -> FilePath {
        let path = try absolute(text)
        _ = try status(path)
        return path
    }

    /// What is at a path; links are not followed.
    package static func status(
        _ path: FilePath
    ) throws(HeadroomError) -> (isDirectory: Bool, isRegular: Bool, allocatedSize: ByteCount) {
        var status = stat()
        guard unsafe path.withPlatformString({ unsafe lstat($0, &status) }) == 0 else {
            throw HeadroomError("find", path, Errno(rawValue: errno))
        }
        let type = UInt32(status.st_mode) & UInt32(S_IFMT)
        return (
            type == UInt32(S_IFDIR), type == UInt32(S_IFREG),
            ByteCount(Int64(status.st_blocks) * 512)
        )
    }

    /// - Parameter named: what an error is about: what was typed.
    private static func resolved(
        _ path: FilePath, _ named: FilePath
    ) throws(HeadroomError) -> FilePath {
        // realpath(3) allocates the result, which is freed as soon as it is copied.
        guard let base = unsafe path.withPlatformString({ unsafe realpath($0, nil) }) else {
            throw HeadroomError("find", named, Errno(rawValue: errno))
        }
        defer { unsafe free(base) }
        return unsafe FilePath(platformString: base)
    }

    /// The paths without those that lie in another one, each once, in their order.
    package static func outermost(_ paths: [FilePath]) -> [FilePath] {
        var kept: [FilePath] = []
        for path in paths where !kept.contains(where: { path.starts(with: $0) }) {
            kept.removeAll { $0.starts(with: path) }
            kept.append(path)
        }
        return kept
    }
}
