//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import SystemPackage

/// A directory to scan, and what its volume is like.
public struct ScanRoot: Hashable, Sendable {
    public var path: FilePath
    /// Reading a file counts as use: false for volumes mounted noatime.
    public var countsAccess: Bool
    /// What the directories around it hand down to it.
    public var mark: Mark

    public init(path: FilePath, countsAccess: Bool = true, mark: Mark = .none) {
        self.path = path
        self.countsAccess = countsAccess
        self.mark = mark
    }
}
