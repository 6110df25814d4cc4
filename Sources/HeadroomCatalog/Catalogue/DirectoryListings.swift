//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// The content of directories, read once for the length of one survey. Used by one thread.
final class DirectoryListings {
    enum Listing {
        case names([FileName])
        case absent
        /// It exists, or may exist, and this user cannot list it.
        case unlistable
    }

    /// More paths than these match no useful pattern.
    private static let mostMatches = 4096
    /// The limit for the directories in which matches are looked for.
    private static let mostDirectories = 65_536
    /// More names than these are not the programs of one organization: stores have 256 directories with hexadecimal
    /// names.
    private static let mostPrograms = 200

    private var known: [FilePath: Listing] = [:]
    private var directories: [FilePath: [FileName]] = [:]
    /// Patterns do not match them: one that does not answer must not hold up those who mean other directories.
    /// Without a mount table (no /proc) they are not known.
    private let mountPoints = Set((try? MountTable.current())?.mounts.map(\.point) ?? [])

    func listing(of directory: FilePath) -> Listing {
        if let listing = known[directory] { return listing }
        let listing: Listing
        do throws(Errno) {
            listing = .names(try ContainerDirectory(directory).names(in: nil) { _ in true })
        } catch .noSuchFileOrDirectory, .notDirectory {
            listing = .absent
        } catch {
            listing = .unlistable
        }
        known[directory] = listing
        return listing
    }

    /// The names of the children, sorted; none for a directory that cannot be listed.
    func names(in directory: FilePath) -> [FileName] {
        if case .names(let names) = listing(of: directory) { names } else { [] }
    }

    /// The names of the children that are directories, and neither links to one nor mount points.
    func directoryNames(in directory: FilePath) -> [FileName] {
        if let names = directories[directory] { return names }
        let names = names(in: directory).filter { name in
            let path = directory.appending(name)
            return !mountPoints.contains(path) && ContainerDirectory.isDirectory(path)
        }
        directories[directory] = names
        return names
    }

    /// The children that are directories and not links to one.
    func directories(in directory: FilePath) -> [FilePath] {
        directoryNames(in: directory).map(directory.appending)
    }

    func exists(_ path: FilePath) -> Bool { ContainerDirectory.type(of: path) != nil }

    /// The paths that match patterns, name by name. A last name without a pattern may be missing.
    ///
    /// Patterns match directories only, except for the last name, and never links.
    ///
    /// - Parameter skipsStores: whether the second of two patterns at the beginning (`*/*/Drafts`) leaves out
    ///   directories with more than 200 names.
    /// - Returns: nil if there are too many.
    func paths(
        below base: FilePath, _ names: ArraySlice<NameGlob>, skipsStores: Bool = false
    ) -> [FilePath]? {
        var found = [base]
        for (index, name) in zip(names.indices, names) {
            var next: [FilePath] = []
            for directory in found {
                if let literal = name.literal {
                    // A name that isn't in a listing needs no system call.
                    if case .names(let children) = known[directory], !children.contains(literal) {
                        continue
                    }
                    next.append(directory.appending(literal))
                    continue
                }
                let isLast = index == names.indices.last
                if skipsStores, !isLast, index == names.startIndex + 1, names.first?.literal == nil,
                    self.names(in: directory).count > Self.mostPrograms
                {
                    continue
                }
                let children = isLast ? self.names(in: directory) : directoryNames(in: directory)
                next += children.filter { name.matches($0.bytes) }.map(directory.appending)
                if next.count > (isLast ? Self.mostMatches : Self.mostDirectories) { return nil }
            }
            found = next
        }
        return found
    }
}
