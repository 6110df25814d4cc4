//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore

/// A directory that works only as a whole, recognized by its shape: it is purged whole or not at all.
package struct Structure: Hashable, Sendable {
    package var kind: Kind
    /// Why it is kept regardless of its class; nil: its class decides.
    package var obstacle: Reason?

    package enum Kind: UInt8, Hashable, Sendable {
        /// A directory with a `.git` directory or file.
        case gitRepository
        /// `HEAD`, `objects` and `refs` in one directory.
        case bareGitRepository
        /// A repository of another version-control system.
        case otherRepository
        /// A Python or Conda environment: `pyvenv.cfg`, `conda-meta`.
        case virtualEnvironment
        /// `node_modules`.
        case nodeModules
        /// A database in several files: LevelDB and RocksDB (`CURRENT` and `MANIFEST-*`), LMDB, PostgreSQL, MySQL,
        /// WiredTiger, Redis.
        case database
        /// A directory whose `CACHEDIR.TAG` another program wrote.
        case taggedCache
        /// A profile of Chromium or Firefox, or of a program that is built on one of them.
        case browserProfile
        /// `drive_c` and `system.reg` in one directory.
        case winePrefix
        /// A repository of restic (`config`, `data`, `keys`, `snapshots`) or Borg (`config`, `README`, `data`).
        case backupRepository
        /// A directory with the state of Terraform (`*.tfstate`) or Pulumi (`.pulumi`).
        case infrastructureState
        /// A store of DVC: `files/md5`.
        case dataStore

        /// The structure as part of a sentence: "It is a Git repository".
        package var spokenName: String {
            switch self {
            case .gitRepository: "a Git repository"
            case .bareGitRepository: "a bare Git repository"
            case .otherRepository: "a repository of a version-control system"
            case .virtualEnvironment: "a virtual environment"
            case .nodeModules: "a directory of Node packages"
            case .database: "a database in several files"
            case .taggedCache: "a tagged cache directory"
            case .browserProfile: "a browser profile"
            case .winePrefix: "a Wine prefix"
            case .backupRepository: "a backup repository"
            case .infrastructureState: "a directory with the state of Terraform or Pulumi"
            case .dataStore: "a data store of DVC"
            }
        }

        /// A question about content of this kind that Headroom can't answer, so that it is kept; nil: its class decides.
        package var doubt: String? {
            switch self {
            case .otherRepository: "it holds unpublished work"
            case .browserProfile: "its logins and bookmarks exist elsewhere"
            case .winePrefix: "it holds saved games or documents"
            case .backupRepository: "it holds the only copy of a file"
            case .infrastructureState: "the resources that it describes still exist"
            case .dataStore: "its data was pushed"
            case .gitRepository, .bareGitRepository, .virtualEnvironment, .nodeModules, .database,
                .taggedCache:
                nil
            }
        }
    }
}

extension Reason.Code {
    /// A repository with work that may exist nowhere else, or whose objects others borrow.
    public static let repository = Reason.Code("repository")
    /// Part of a directory that works only as a whole, such as a repository or a virtual environment.
    public static let structure = Reason.Code("structure")
}
