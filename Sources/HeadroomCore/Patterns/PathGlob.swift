//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform

/// A pattern for a whole path, name by name, as fnmatch(3) with `FNM_PATHNAME` and `FNM_PERIOD` has it.
package struct PathGlob: Hashable, Sendable {
    package let names: [NameGlob]

    /// - Parameter path: absolute.
    /// - Returns: nil if a name of it is no pattern, or leads upwards, as `\.\.` does.
    package init?(_ path: [UInt8]) {
        let parts = path.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
        let globs = parts.map { NameGlob($0) }
        names = globs.compactMap(\.self)
        guard path.first == UInt8(ascii: "/"), names.count == globs.count,
            !names.contains(where: \.isDots)
        else { return nil }
    }

    /// A path that stands for itself, whatever signs it has.
    package init(exactly path: [FileName]) {
        names = path.map { NameGlob(literal: $0) }
    }

    package func matches(_ path: [FileName]) -> Bool {
        path.count == names.count && zip(names, path).allSatisfy { $0.matches($1.bytes) }
    }

    /// The path, if it has no signs.
    package var literal: [FileName]? {
        let literals = names.compactMap(\.literal)
        return literals.count == names.count ? literals : nil
    }
}
