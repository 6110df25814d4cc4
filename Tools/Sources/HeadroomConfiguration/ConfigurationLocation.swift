//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import SystemPackage

/// Where a value stands: a file, a line in it, and the key.
public struct ConfigurationLocation: Hashable, Sendable {
    public var file: FilePath
    /// Counted from 1.
    public var line: Int
    /// The way to the value from the top of the file, in the form that yq takes: `areas[0].limit`.
    public var key: String

    public init(file: FilePath, line: Int, key: String) {
        self.file = file
        self.line = line
        self.key = key
    }
}
