//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Looks at the direct children of a directory that may be an Apple container.
package struct ContainerDirectory {
    private let path: FilePath

    package init(_ path: FilePath) {
        self.path = path
    }

    /// Whether a child, by a relative path, is a directory and not a link to one.
    func hasDirectory(_ name: String) -> Bool { type(of: name) == .directory }

    package func hasDirectory(_ name: FileName) -> Bool {
        Self.isDirectory(path.appending(name))
    }

    /// Whether a path is a directory and not a link to one.
    package static func isDirectory(_ path: FilePath) -> Bool { type(of: path) == .directory }

    func hasFile(_ name: String) -> Bool { type(of: name) == .regular }

    /// It has what homes have and containers have not: a `Desktop` that is no link, as it is in a Mac's
    /// containers, or files of a shell or of ssh. Copied homes are nobody's account here.
    var looksLikeHome: Bool {
        if hasDirectory("Desktop") || hasDirectory(".ssh") { return true }
        return [
            ".bashrc", ".bash_profile", ".bash_history", ".profile", ".zshrc", ".zprofile",
            ".zsh_history",
        ].contains(where: hasFile)
    }

    private func type(of name: String) -> HeadroomPlatform.FileType? {
        Self.type(of: path.appending(name))
    }

    /// The type of the file at a path, links not followed; nil if it is missing or cannot be read.
    package static func type(of path: FilePath) -> HeadroomPlatform.FileType? {
        var status = stat()
        let result = unsafe path.withPlatformString { unsafe lstat($0, &status) }
        return result == 0 ? HeadroomPlatform.FileType(mode: UInt32(status.st_mode)) : nil
    }

    /// The names of the children of a subdirectory that satisfy a condition, sorted.
    ///
    /// - Throws: what opening and reading it say.
    package func names(in subdirectory: String?, where condition: (FileName) -> Bool) throws(Errno)
        -> [FileName]
    {
        let directory = subdirectory.map { path.appending($0) } ?? path
        guard let stream = unsafe directory.withPlatformString({ unsafe opendir($0) }) else {
            throw .current
        }
        defer { unsafe _ = closedir(stream) }
        var names: [FileName] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                if errno != 0 { throw .current }
                break
            }
            let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
                // The kernel's name is terminated within the record.
                unsafe Array(buffer.prefix { $0 != 0 })
            }
            guard bytes != [0x2E], bytes != [0x2E, 0x2E], let name = FileName(bytes) else {
                continue
            }
            if condition(name) { names.append(name) }
        }
        return names.sorted()
    }
}
