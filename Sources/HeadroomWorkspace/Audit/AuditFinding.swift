//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
public import SystemPackage

/// Something that an audit found amiss, and what to do about it.
public struct AuditFinding: Hashable, Sendable {
    public var code: Code
    public var severity: Severity
    public var path: FilePath
    /// What it is about, in allocated bytes.
    public var bytes: ByteCount
    /// How many files it is about.
    public var items: Int
    /// A sentence without the path.
    public var text: String
    /// What to do about it. All that an audit finds has one.
    public var fix: AuditFix?

    public init(
        _ code: Code, _ severity: Severity, _ path: FilePath, bytes: ByteCount = .zero,
        items: Int = 1, _ text: String, fix: AuditFix? = nil
    ) {
        self.code = code
        self.severity = severity
        self.path = path
        self.bytes = bytes
        self.items = items
        self.text = text
        self.fix = fix
    }

    public enum Severity: UInt8, Hashable, Comparable, Sendable, CaseIterable {
        /// Good to know; nothing is wrong.
        case note
        /// Costs room, or goes against a convention.
        case advice
        /// Something may be lost.
        case warning

        public static func < (left: Severity, right: Severity) -> Bool {
            left.rawValue < right.rawValue
        }

        /// The name in JSON: `warning`.
        public var name: String { "\(self)" }
    }

    /// A documented code: `recreatable-in-backup`. New codes may appear in any release.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        public init(_ description: String) {
            self.description = description
        }
    }
}

extension AuditFinding.Code {
    // MARK: Backup (R12)

    /// It can be made or fetched again, and is backed up.
    public static let recreatableInBackup = Self("recreatable-in-backup")
    /// The same, small things together.
    public static let smallRecreatableInBackup = Self("small-recreatable-in-backup")
    /// It is large, cannot be had again as far as is known, and is backed up.
    public static let largeInBackup = Self("large-in-backup")
    /// A person made it, and it is in no backup.
    public static let userContentExcluded = Self("user-content-excluded")
    /// The ledger knows a mark that the file has lost.
    public static let lostMark = Self("lost-mark")

    // MARK: Conventions (R4)

    /// What can be had again lies in Documents.
    public static let recreatableInDocuments = Self("recreatable-in-documents")
    /// Something made to be thrown away lies at the root of a group's container.
    public static let cacheAtGroupRoot = Self("cache-at-group-root")
    /// A file in Preferences that the preferences system did not write.
    public static let handwrittenPreferences = Self("handwritten-preferences")
    /// Something in Documents/Inbox that no other app handed over.
    public static let createdInInbox = Self("created-in-inbox")
    /// More than one directory of the app's own where one would do.
    public static let severalAppDirectories = Self("several-app-directories")
    /// A directory of the app's own whose name is not in PascalCase.
    public static let directoryName = Self("directory-name")
}
