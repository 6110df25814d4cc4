//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomWorkspace

/// What something that an app saves is to the person who uses it. Where it goes, whether it is backed
/// up, and when it may be purged follow from it.
///
/// | class | place (Apple) | place (Linux) | backed up | purged |
/// |---|---|---|---|---|
/// | essential, user content | Documents | `XDG_DOCUMENTS_DIR` | yes | never |
/// | essential, app data | Application Support/*owner* | `XDG_DATA_HOME`/*owner* | yes | never |
/// | last resort | Application Support/*owner*/LastResort | `XDG_DATA_HOME`/*owner*/LastResort | no | when nothing else is left |
/// | cache | Caches/*owner* | `XDG_CACHE_HOME`/*owner* | no | when room is needed |
/// | temporary | tmp | a directory of its own in `TMPDIR` | no | first |
public enum ContentClass: Hashable, Sendable {
    case essential(Essential)
    /// Can be had again, but not here and now: what a person downloaded to use offline.
    case lastResort
    /// Can be made or fetched again at any time.
    case cache
    /// Needed for as long as the program runs.
    case temporary

    /// Which of the things that cannot be had again.
    public enum Essential: Hashable, Sendable {
        /// Made by the person, and shown to them as their files.
        case userContent
        /// Needed by the app, and not shown as files.
        case appData
    }

    public var purgeClass: PurgeClass {
        switch self {
        case .essential: .essential
        case .lastResort: .lastResort
        case .cache: .cache
        case .temporary: .temporary
        }
    }

    /// How much saving it may ask of others, unless the caller says otherwise.
    public var usualIntent: Intent {
        switch self {
        case .essential: .essential
        case .lastResort: .requested
        case .cache, .temporary: .optional
        }
    }
}

/// When saving returns.
public enum Durability: Hashable, Sendable {
    /// When the system has it: it survives the process, not a power cut. A power cut never leaves a
    /// part of it under its name that the file system itself does not make (zeros on some).
    case none
    /// When the file and its directory are on disk.
    case full
}
