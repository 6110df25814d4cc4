//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a directory is for, by its place in a layout.
public enum AuditRole: UInt8, Hashable, Sendable, CaseIterable {
    /// The root of an app's container, and what lies in it beside the roles.
    case container
    /// The root of an app group's container, and what lies in it beside `Library`.
    case group
    /// `Documents`: made by the person.
    case documents
    /// `Documents/Inbox`: handed over by other apps.
    case inbox
    /// `Library`, beside the roles below.
    case library
    case applicationSupport
    case preferences
    case caches
    case temporary
    /// The app itself.
    case bundle
    /// The operating system's own: `com.apple.*`, `WebKit`, `Cookies` and their like.
    case system
    /// A home, beside the places below.
    case home
    /// A person's own directories: `XDG_DOCUMENTS_DIR` and its like.
    case userFiles
    /// `XDG_CONFIG_HOME`.
    case configuration
    /// `XDG_DATA_HOME` and `XDG_STATE_HOME`.
    case data
    /// In no layout.
    case other

    /// The name in JSON: `applicationSupport`.
    public var name: String { "\(self)" }

    /// What a person made or chose lies here.
    var holdsUserContent: Bool {
        switch self {
        case .documents, .inbox, .userFiles, .home: true
        default: false
        }
    }

    /// Where an app or a program keeps its own data.
    var holdsAppData: Bool {
        switch self {
        case .applicationSupport, .data, .group, .documents: true
        default: false
        }
    }
}

/// Whether something is in a backup, and if not, why.
public enum AuditBackup: UInt8, Hashable, Sendable, CaseIterable {
    case included
    /// Left out by a flag of its own: a mark, a tag or an attribute.
    case excluded
    /// Left out with a directory around it.
    case inherited
    /// Left out because of where it is, as `Library/Caches`.
    case byLocation

    /// The name in JSON: `byLocation`.
    public var name: String { "\(self)" }
}
