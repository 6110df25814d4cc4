//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// A path with patterns that is relative to the directory of a well-known cache: `models--*`, `../lock`.
package struct CataloguePattern: Hashable, Sendable {
    /// How many directories it leads up before its names count.
    let levelsUp: Int
    let names: [NameGlob]

    /// - Returns: nil if the text is absolute, is empty, or has `..` after its first name.
    package init?(_ text: String) {
        guard !text.hasPrefix("/") else { return nil }
        var parts = text.utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)[...]
        var levels = 0
        while parts.first?.elementsEqual("..".utf8) == true {
            levels += 1
            parts.removeFirst()
        }
        let globs = parts.map { NameGlob($0, hasCounts: true) }
        names = globs.compactMap(\.self)
        levelsUp = levels
        guard !names.isEmpty, names.count == globs.count, !names.contains(where: \.isDots) else {
            return nil
        }
    }

    /// The path that it names; nil if it is a pattern.
    func literal(from directory: FilePath) -> FilePath? {
        let literals = names.compactMap(\.literal)
        guard literals.count == names.count else { return nil }
        return literals.reduce(base(from: directory)) { $0.appending($1) }
    }

    private func base(from directory: FilePath) -> FilePath {
        var base = directory
        for _ in 0..<levelsUp { base.removeLastComponent() }
        return base
    }

    /// The paths that exist, of any type. Where there are too many, the directory that they lie in.
    func matches(from directory: FilePath, _ listings: DirectoryListings) -> [FilePath] {
        let base = base(from: directory)
        let paths = listings.paths(below: base, names[...])
        return (paths ?? [names.literalStart(below: base)]).filter(listings.exists)
    }
}

extension [NameGlob] {
    /// The path down to the first name that is a pattern.
    func literalStart(below base: FilePath) -> FilePath {
        prefix { $0.literal != nil }.compactMap(\.literal).reduce(base) { $0.appending($1) }
    }
}

extension CataloguePattern {
    /// The values of a key that has several, separated by spaces. A backslash before a space makes it part of
    /// a value.
    static func words(_ text: String) -> [String] {
        var isEscaped = false
        // By bytes: an accent that follows a space does not belong to it.
        return text.utf8.split { byte in
            defer { isEscaped = byte == UInt8(ascii: "\\") && !isEscaped }
            return byte == UInt8(ascii: " ") && !isEscaped
        }.map { String(Substring($0)) }
    }
}
