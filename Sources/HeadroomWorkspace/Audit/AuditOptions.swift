//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

/// What an audit looks for.
public struct AuditOptions: Sendable {
    /// What is backed up and at least this large is reported by itself.
    public var largeEach: ByteCount = .megabytes(10)
    /// What can be had again and is smaller is reported together, if it comes to more than this.
    public var largeInAll: ByteCount = .megabytes(100)
    /// How many of the largest files of each kind are listed.
    public var largestPerKind = 5
    /// List only files whose last use is at least this long ago; nil: all.
    public var unusedFor: Duration?
    /// By which names content that can be had again is recognised.
    public var rules = RuleBook.standard
    /// How many files are read to find out what they hold: the largest ones. The rest is judged by
    /// name.
    public var contentLimit = 500
    /// Read the attributes of every file, not just those of directories, of marked files and of the
    /// largest; nil: only in containers of Apple's, where apps exclude single files.
    public var readsEveryFile: Bool?

    public init() {}

    public static let standard = AuditOptions()

    /// How many findings of one code are listed; the rest is counted.
    public static let findingLimit = 200
}
