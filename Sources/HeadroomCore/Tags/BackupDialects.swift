//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The ways in which a file or directory itself says that backups leave it out.
public struct BackupDialects: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Headroom's own mark: exclude lists honour it, backup programs do not read it.
    public static let mark = BackupDialects(rawValue: 1)
    /// On a directory, a `CACHEDIR.TAG` that Headroom has put there (restic, borg, tar).
    public static let ownTag = BackupDialects(rawValue: 2)
    /// On a directory, a `CACHEDIR.TAG` of another program. Never removed.
    public static let foreignTag = BackupDialects(rawValue: 4)
    /// The attribute `user.xdg.robots.backup` with the value `false` (borg 2 and others).
    public static let attribute = BackupDialects(rawValue: 8)
    /// The no-dump flag, `chattr +d` (dump, borg).
    public static let noDump = BackupDialects(rawValue: 16)
    /// Apple's resource value `isExcludedFromBackup` (iCloud, Finder, Time Machine).
    public static let apple = BackupDialects(rawValue: 32)

    /// Those that backup programs read by themselves, without an exclude list.
    public static let readByPrograms: BackupDialects = [
        .ownTag, .foreignTag, .attribute, .noDump, .apple,
    ]

    /// For programs: `mark`, `cachedir-tag`, `foreign-cachedir-tag`, `xdg-attribute`, `nodump`,
    /// `apple`.
    public var names: [String] { parts.map(\.name) }

    /// For people: `a mark, CACHEDIR.TAG and the no-dump flag`.
    public var spoken: String {
        let texts = parts.map(\.text)
        guard let last = texts.last, texts.count > 1 else { return texts.first ?? "nothing" }
        return texts.dropLast().joined(separator: ", ") + " and " + last
    }

    private var parts: [(name: String, text: String)] {
        let all: [(BackupDialects, String, String)] = [
            (.mark, "mark", "a mark"), (.ownTag, "cachedir-tag", "CACHEDIR.TAG"),
            (.foreignTag, "foreign-cachedir-tag", "a CACHEDIR.TAG of another program"),
            (.attribute, "xdg-attribute", "user.xdg.robots.backup"),
            (.noDump, "nodump", "the no-dump flag"),
            (.apple, "apple", "isExcludedFromBackup"),
        ]
        return all.filter { contains($0.0) }.map { ($0.1, $0.2) }
    }
}
