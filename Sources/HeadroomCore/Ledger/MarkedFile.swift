//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import SystemPackage

/// A mark as the ledger keeps it.
public struct MarkedFile: Hashable, Sendable {
    public var key: FileKey
    public var mark: Mark
    /// Where the file was when it was marked; it may have moved since.
    public var path: FilePath
    public var isDirectory: Bool

    public init(key: FileKey, mark: Mark, path: FilePath, isDirectory: Bool) {
        self.key = key
        self.mark = mark
        self.path = path
        self.isDirectory = isDirectory
    }
}
