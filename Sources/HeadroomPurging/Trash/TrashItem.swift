//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform
public import SystemPackage

/// Something that was thrown away.
public struct TrashItem: Hashable, Sendable {
    public var directory: TrashDirectory
    /// Its name in the trash, which may not be the one it had.
    public var name: FileName
    /// Where it was; nil if that is not known: its information is missing, damaged, or leads upwards.
    public var originalPath: FilePath?
    public var deleted: Timestamp
    /// What its age counts from: ``deleted``, or when the file system says that it last changed, if that is
    /// later. What is written of its deletion is local time without a zone, and any program's word.
    public var agesFrom: Timestamp
    /// Whether ``deleted`` is what its information says, and not when it last changed its place.
    public var isDateKnown: Bool
    /// The receipt by which it was thrown away; nil if another program did it.
    public var receipt: String?
    /// Its place in that receipt.
    package var number = 0
    public var type: HeadroomPlatform.FileType
    public var identity: FileIdentity
    /// The bytes that it occupies, with all its content; nil if not measured, or if measuring failed.
    public var allocated: ByteCount?
    /// The bytes that deleting it frees: files with hard links outside of it free nothing. Nil as
    /// ``allocated``.
    public var freed: ByteCount?
    /// How many files it holds, itself included; nil where it was not measured.
    public var fileCount: Int?

    /// Where it is now.
    public var path: FilePath {
        FilePath(bytes: directory.files.bytes + [UInt8(ascii: "/")] + name.bytes)
    }

    /// Where it was, or for want of that where it is.
    public var shownPath: FilePath { originalPath ?? path }

    /// When it expires.
    public var expires: Timestamp { agesFrom.advanced(by: TrashDirectory.retention) }
}

/// What lies in a user's trash directories.
public struct TrashListing: Sendable {
    /// What was thrown away last comes first.
    public var items: [TrashItem]
    public var directories: [TrashDirectory]
    /// What could not be looked at, and why.
    public var notes: [Reason]

    /// The bytes that all items occupy, as far as they were measured.
    public var allocated: ByteCount { items.reduce(.zero) { $0 + ($1.allocated ?? .zero) } }

    /// The bytes that deleting all items frees, as far as they were measured.
    public var freed: ByteCount { items.reduce(.zero) { $0 + ($1.freed ?? .zero) } }
}
