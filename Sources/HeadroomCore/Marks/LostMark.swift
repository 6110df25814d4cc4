//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import SystemPackage

/// A mark that the ledger records and that the file at its place does not carry, or not all of it (R9).
///
/// A file that is no longer at the recorded path is no lost mark: marks travel with files that are
/// moved.
public struct LostMark: Hashable, Sendable {
    public var path: FilePath
    public var isDirectory: Bool
    public var cause: Cause
    /// What is put back by itself: what protects, and on the very file that was marked all of it.
    public var restored: Mark
    /// What is only told: permission to delete is never put back on another file.
    public var reported: Mark

    public init(
        path: FilePath, isDirectory: Bool, cause: Cause, restored: Mark = .none,
        reported: Mark = .none
    ) {
        self.path = path
        self.isDirectory = isDirectory
        self.cause = cause
        self.restored = restored
        self.reported = reported
    }

    /// Adds what a file that stood there before has lost.
    package mutating func add(_ other: LostMark) {
        restored = restored.inheriting(other.restored)
        reported = reported.inheriting(other.reported)
    }

    public enum Cause: String, Hashable, Sendable {
        /// The attribute was taken off the file that was marked.
        case stripped
        /// Another file is in its place, put there by a program that does not keep attributes.
        case replaced
        /// It may be the file that was marked, or one that came to its inode: its file system keeps
        /// no birth times.
        case uncertain
    }
}
