//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

/// The sums of a walk. Counters of a worker while it runs; hard links are added when it is over.
package struct WalkTotals: Hashable, Sendable {
    /// Names of things that are not directories.
    package var files = 0
    /// Directories, roots included.
    package var directories = 0
    /// Bytes occupied, directories included, each file with several links once.
    package var allocated: Int64 = 0
    /// The sizes of regular files and symbolic links, each file with several links once.
    package var logical: Int64 = 0
    /// Directories and entries that could not be read.
    package var errors = 0
    /// Entries that went away between reading their directory and looking at them.
    package var vanished = 0
    /// Entries on other file systems.
    package var omitted = 0

    mutating func add(_ other: WalkTotals) {
        files += other.files
        directories += other.directories
        allocated &+= other.allocated
        logical &+= other.logical
        errors += other.errors
        vanished += other.vanished
        omitted += other.omitted
    }
}

/// Something that could not be read.
package struct WalkFailure: Sendable {
    package let path: FilePath
    /// `open`, `read` or `stat`.
    package let operation: String
    package let error: Errno

    /// How many of them a worker lists; all are counted.
    static let limit = 10_000
}
