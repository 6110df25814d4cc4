//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import SystemPackage

/// What a directory says of backups, with what it hands down to all that is in it.
///
/// A walk carries it along, so that nothing around a file is read twice.
public struct DirectoryBackup: Hashable, Sendable {
    /// The directory, absolute and without links.
    public let path: FilePath
    /// Of the directory itself.
    public let exclusion: BackupExclusion
    /// The nearest directory, at or above this one, that says so itself.
    let flag: Flag?
    /// The area or class mark it lies in, if that keeps it out.
    let location: BackupExclusion.Place?
    /// Files in it may carry marks of Headroom.
    let hasMarkedFiles: Bool

    struct Flag: Hashable, Sendable {
        var path: FilePath
        var dialects: BackupDialects
    }

    /// What an entry says of itself.
    struct Word {
        var path: FilePath
        var mark: Mark
        var dialects: BackupDialects
        /// The area that begins at it.
        var area: Area?
        /// A class in its mark counts: it is no place that cannot be declared (S11).
        var allowsClass: Bool
        var hasMarkedFiles = false
    }

    /// - Parameter outer: the directory around it; nil for the root of the file tree.
    init(_ word: Word, in outer: DirectoryBackup?) {
        path = word.path
        var own = word.dialects
        if word.mark.isExcludedFromBackup == true { own.insert(.mark) }
        var handed = outer?.flag
        var location = outer?.location
        if let area = word.area {
            location =
                area.purgeClass == .essential
                ? nil
                : BackupExclusion.Place(
                    path: area.root, purgeClass: area.purgeClass, origin: area.origin)
        }
        if let purgeClass = word.mark.purgeClass?.purgeClass, word.allowsClass,
            word.area?.purgeClass != .essential
        {
            location = BackupExclusion.Place(
                path: word.path, purgeClass: purgeClass, origin: "a mark")
        }
        if word.mark.isExcludedFromBackup == false {
            // A mark can lift what only Headroom reads; programs would still go by the rest.
            if handed?.dialects == .mark { handed = nil }
            location = nil
        }
        exclusion =
            if !own.isEmpty {
                .own(own)
            } else if let handed {
                .inherited(from: handed.path, handed.dialects)
            } else if let location {
                .byLocation(location)
            } else { .none }
        flag = own.isEmpty ? handed : Flag(path: word.path, dialects: own)
        self.location = location
        hasMarkedFiles = word.hasMarkedFiles
    }
}
