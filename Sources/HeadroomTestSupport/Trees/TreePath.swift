//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

/// A path below the root of a ``Tree``: names of bytes, in any encoding and to any depth.
///
///     let plain: TreePath = "Library/Caches/a.db"
///     let odd = plain.directory / TreePath(name: [0xFF, 0x0A])
public struct TreePath: Hashable, Sendable, ExpressibleByStringLiteral,
    ExpressibleByStringInterpolation, CustomStringConvertible
{
    /// The names from the root downwards; none for the root itself.
    public var names: [FileName]

    public init(_ names: [FileName] = []) {
        self.names = names
    }

    /// A path from text; empty components are left out.
    public init(_ text: String) {
        names = text.split(separator: "/").compactMap { FileName(String($0)) }
    }

    /// A path of one name that need not be UTF-8.
    public init(name bytes: [UInt8]) {
        guard let name = FileName(bytes) else {
            preconditionFailure("a file name is not empty and contains neither / nor NUL")
        }
        names = [name]
    }

    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// The path one level up; that of the root is the root.
    public var directory: TreePath { TreePath(Array(names.dropLast())) }

    public static func / (left: TreePath, right: TreePath) -> TreePath {
        TreePath(left.names + right.names)
    }

    public var description: String { names.map(\.text).joined(separator: "/") }
}
