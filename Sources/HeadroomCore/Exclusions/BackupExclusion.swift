//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import SystemPackage

/// Whether backups leave a file or directory out, and by whose word (R11).
public enum BackupExclusion: Hashable, Sendable {
    /// It is backed up.
    case none
    /// It says so itself.
    case own(BackupDialects)
    /// A directory around it says so: the nearest that does.
    case inherited(from: FilePath, BackupDialects)
    /// Nothing on it says so, but it lies in what is not backed up by what it is: temporary, cache or
    /// last resort. Backup programs need an exclude list to know (``ExcludeList``).
    case byLocation(Place)

    /// An area, or a file or directory that is marked with a class.
    public struct Place: Hashable, Sendable {
        public var path: FilePath
        public var purgeClass: PurgeClass
        /// Who declared it, for people: `XDG_CACHE_HOME`, `a mark`.
        public var origin: String

        public init(path: FilePath, purgeClass: PurgeClass, origin: String) {
            self.path = path
            self.purgeClass = purgeClass
            self.origin = origin
        }
    }

    public var isExcluded: Bool { self != .none }

    /// How it, or the directory around it, says so; empty if only its place does.
    public var dialects: BackupDialects {
        switch self {
        case .none, .byLocation: []
        case .own(let dialects), .inherited(_, let dialects): dialects
        }
    }

    /// Whether backup programs see it by themselves, as far as they read the dialects.
    public var isVisibleToPrograms: Bool {
        !dialects.isDisjoint(with: .readByPrograms)
    }
}
