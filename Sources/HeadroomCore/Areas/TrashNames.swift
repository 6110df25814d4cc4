//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
package import SystemPackage

/// Recognizes trash directories by their paths, also those of other users and those that lack a part.
///
/// The names are those of the freedesktop.org Trash specification 1.0: `Trash` in the data directory of a
/// user, `.Trash` and `.Trash-UID` at the root of a volume.
package struct TrashNames {
    private let volumes: Set<FilePath>

    /// - Parameter volumes: the roots of volumes.
    package init(volumes: [FilePath]) { self.volumes = Set(volumes) }

    /// Whether a path is that of a trash directory.
    package func isTrash(_ path: FilePath) -> Bool {
        let name = String(decoding: path.lastNameBytes, as: UTF8.self)
        if name == "Trash" {
            return path.removingLastComponent().ends(with: ".local/share")
                || Self.looksLikeTrash(path)
        }
        guard name.hasPrefix(".Trash") else {
            guard Self.isUser(name) else { return false }
            // `.Trash/UID`
            let parent = path.removingLastComponent()
            return parent.lastComponent?.string == ".Trash" && isTrash(parent)
        }
        let rest = name.dropFirst(6)
        guard rest.isEmpty || rest.hasPrefix("-") && Self.isUser(String(rest.dropFirst())) else {
            return false
        }
        return volumes.contains(path.removingLastComponent()) || Self.looksLikeTrash(path)
    }

    /// Whether a path lies in a trash directory.
    package func lies(inTrash path: FilePath) -> Bool {
        var current = path
        while current.depth > 0 {
            current.removeLastComponent()
            if isTrash(current) { return true }
        }
        return false
    }

    private static func isUser(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Whether it has the directories of a trash directory.
    private static func looksLikeTrash(_ path: FilePath) -> Bool {
        ["files", "info"].allSatisfy { (name: FilePath.Component) in
            // A directory that cannot be examined does not count as one.
            (try? PathCalls.entryStatus(path.appending(name)))?.type == .directory
        }
    }
}

extension FilePath {
    /// The links among the path and the directories around it.
    package var links: [FileIdentity] {
        var links: [FileIdentity] = []
        var current = self
        while current.depth > 0 {
            // A missing component cannot be a link.
            if let status = try? PathCalls.entryStatus(current), status.type == .symbolicLink {
                links.append(status.identity)
            }
            current.removeLastComponent()
        }
        return links
    }
}
