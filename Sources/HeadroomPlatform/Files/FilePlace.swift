//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The directory that a file is made in: open, or known by its path.
///
/// By its path it costs no system call of its own; who has to know that it is the same directory all
/// the while opens it.
package struct FilePlace: ~Copyable, Sendable {
    private let opened: Descriptor?
    /// What system calls are given as the directory: a descriptor, or `AT_FDCWD`.
    package let anchor: Int32
    private let prefix: [UInt8]

    /// Keeps the directory open for as long as this exists.
    package init(_ directory: consuming Descriptor) {
        anchor = directory.rawValue
        opened = consume directory
        prefix = []
    }

    /// - Parameter prefix: the absolute path, with a slash at its end.
    package init(prefix: [UInt8]) {
        anchor = AT_FDCWD
        opened = nil
        self.prefix = prefix
    }

    /// The name of an entry as system calls take it beside ``anchor``.
    package func entry(_ name: ArraySlice<UInt8>) -> FileName {
        FileName(unchecked: prefix + name)
    }
}
