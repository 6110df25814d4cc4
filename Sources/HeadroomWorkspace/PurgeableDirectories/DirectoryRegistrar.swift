//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
public import SystemPackage

/// Who registers purgeable directories, and where that may be.
public struct DirectoryRegistrar: Hashable, Sendable {
    /// The program; nil: a person, for whom any directory that can be declared will do.
    public var owner: String?
    /// The container, if it is one that may move.
    public var container: FilePath?
    /// The directories in which it may register; nil: anywhere.
    package var limits: [FilePath]?
    /// Directories that have a use of their own, and are not to be registered, nor what is in or
    /// around them; each with what it is.
    package var reserved: [FilePath: String] = [:]

    /// A person, who names a directory.
    public static let person = DirectoryRegistrar()

    package init(
        owner: String? = nil, container: FilePath? = nil, limits: [FilePath]? = nil,
        reserved: [FilePath: String] = [:]
    ) {
        self.owner = owner
        self.container = container
        self.limits = limits
        self.reserved = reserved
    }

    /// Who it is, as it stands in a sentence.
    var name: String { owner ?? "you" }

    /// - Parameter path: without links.
    func check(
        _ path: FilePath, among registered: [Registration]
    ) throws(HeadroomError) {
        func refused(_ why: String, _ advice: String) -> HeadroomError {
            HeadroomError(
                .refused,
                "\(path.displayText) cannot be registered as a purgeable directory: \(why). \(advice)"
            )
        }
        if let limits, !limits.contains(where: { path.lies(in: $0) && path != $0 }) {
            throw refused(
                "it does not lie in the storage of \(name)",
                "Name a directory in \(limits.map(\.displayText).joined(separator: ", ")).")
        }
        for (place, use) in reserved.sorted(by: { $0.key.string < $1.key.string })
        where place.lies(in: path) || path.lies(in: place) {
            throw refused(
                path == place
                    ? "it is for \(use)"
                    : path.lies(in: place)
                        ? "it lies in \(place.displayText), which is for \(use)"
                        : "it contains \(place.displayText), which is for \(use)",
                "Use a directory of its own.")
        }
        for other in registered {
            let root = other.area.root
            if root == path {
                guard other.owner != owner else { continue }
                throw refused(
                    "it is registered already, by \(other.owner ?? "a person")",
                    "Remove that first: headroom dir remove \(root.shellText)")
            }
            guard root.lies(in: path) || path.lies(in: root) else { continue }
            throw refused(
                path.lies(in: root)
                    ? "it lies in \(root.displayText), which is registered"
                    : "it contains \(root.displayText), which is registered",
                "Each file can have one rule only: use directories side by side, or remove that "
                    + "registration first.")
        }
    }
}
