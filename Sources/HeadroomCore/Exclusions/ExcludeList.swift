//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
public import SystemPackage

/// What backups leave out below some directories, to be written for backup programs.
///
///     let list = try workspace.excludeList(of: [home])
///     let written = list.written(for: .restic)
///     // written.bytes: the file for --exclude-file
public struct ExcludeList: Hashable, Sendable {
    /// In the order of the bytes of their paths; none lies in another.
    public var entries: [Entry]
    /// What could not be looked into, and so may hold more.
    public var notes: [Reason]

    public struct Entry: Hashable, Sendable {
        public var path: FilePath
        /// With all that is in it.
        public var isDirectory: Bool
        public var exclusion: BackupExclusion

        public init(path: FilePath, isDirectory: Bool, exclusion: BackupExclusion) {
            self.path = path
            self.isDirectory = isDirectory
            self.exclusion = exclusion
        }
    }

    /// Sorts the entries, and drops those that lie in others.
    public init(_ entries: [Entry], notes: [Reason] = []) {
        var byPath: [FilePath: Entry] = [:]
        for entry in entries { byPath[entry.path] = entry }
        self.entries = byPath.values
            .filter { entry in
                var outer = entry.path
                while outer.depth > 0 {
                    outer.removeLastComponent()
                    if byPath[outer] != nil { return false }
                }
                return true
            }
            .map { ($0, $0.path.bytes) }
            .sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
        self.notes = notes
    }

    /// The list as one program reads it.
    public struct Written: Hashable, Sendable {
        /// A pattern a line. Names are written byte for byte, in no particular encoding.
        public var bytes: [UInt8] = []
        /// How many lines there are.
        public var count = 0
        /// What the program has no way to name, which it will back up.
        public var unexpressed: [Entry] = []
    }

    /// Writes the list for a program.
    ///
    /// - Parameter base: the directory that rsync copies (`rsync -a BASE/ …`), to which its patterns
    ///   are relative; others are given absolute paths, and so is rsync with `-R` if it is nil.
    public func written(for program: BackupProgram, base: FilePath? = nil) -> Written {
        let syntax = ExcludeSyntax(program: program)
        let prefix = program == .rsync ? base?.bytes ?? [] : []
        var written = Written()
        for entry in entries {
            let path = entry.path.bytes
            guard let pattern = syntax.pattern(for: path, below: prefix) else {
                written.unexpressed.append(entry)
                continue
            }
            written.bytes += pattern
            written.bytes.append(UInt8(ascii: "\n"))
            written.count += 1
        }
        return written
    }
}

/// A program that makes backups, and is told by a file what to leave out.
public enum BackupProgram: String, Hashable, Sendable, CaseIterable {
    /// `restic backup --exclude-file FILE DIRECTORY`
    case restic
    /// `borg create --exclude-from FILE REPOSITORY::NAME DIRECTORY`
    case borg
    /// GNU tar: `tar --create --anchored --exclude-from FILE --file ARCHIVE DIRECTORY`
    case tar
    /// `rsync -a --exclude-from FILE DIRECTORY/ DESTINATION`
    case rsync
}
