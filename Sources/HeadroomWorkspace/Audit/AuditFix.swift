//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlatform
public import SystemPackage

/// What to do about a finding.
public struct AuditFix: Hashable, Sendable {
    public var action: Action
    /// Whether `--fix` does it: only what leaves every file where it is and in the backup that it
    /// needs.
    public var isSafe: Bool

    public init(_ action: Action, isSafe: Bool) {
        self.action = action
        self.isSafe = isSafe
    }

    public enum Action: Hashable, Sendable {
        case excludeFromBackup(FilePath)
        /// Looks at a place once more, so that what is small is reported by itself; with `fixes`, what
        /// is safe is left out of backups at once. `isGroup`: it is the container of an app group.
        case auditSmall(FilePath, fixes: Bool, isGroup: Bool)
        /// Lists for a backup program what in a place is not to be backed up.
        case listExcludes(FilePath)
        /// Has something backed up again: takes the exclusion back, if it is of its mark, and nothing
        /// else of the mark; and the words of other programs.
        case includeInBackup(FilePath, saidBy: BackupDialects)
        /// Puts a mark on again that was lost.
        case restoreMark(FilePath, Mark)
        /// Moves files or directories into another directory, which is made if need be, unless
        /// something is there.
        case move([FilePath], into: FilePath, makesDirectory: Bool)
        /// Gives a file or directory another name.
        case rename(FilePath, to: FilePath)
    }

    /// The command that does it, one line for a shell.
    ///
    /// - Parameter shown: how a path is written, quoted where it has to be.
    public func command(_ shown: (FilePath) -> String) -> String {
        switch action {
        case .excludeFromBackup(let path):
            return "headroom mark \(shown(path)) --no-backup"
        case .auditSmall(let path, let fixes, let isGroup):
            let layout = isGroup ? " --layout group" : ""
            return "headroom audit \(shown(path)) --larger-than 1\(layout)\(fixes ? " --fix" : "")"
        case .listExcludes(let path):
            return "headroom audit \(shown(path)) --excludes restic"
        case .includeInBackup(let path, let words):
            return Self.including(path, saidBy: words, shown)
        case .restoreMark(let path, let mark):
            return (["headroom mark", shown(path)] + mark.commandOptions).joined(separator: " ")
        case .move(let paths, let directory, let makesDirectory):
            let making = makesDirectory ? "mkdir -p \(shown(directory)) && " : ""
            let names = paths.map { shown($0) }.joined(separator: " ")
            return "\(making)mv -n \(names) \(shown(directory))/"
        case .rename(let path, let name):
            return "mv -n \(shown(path)) \(shown(name))"
        }
    }

    private static func including(
        _ path: FilePath, saidBy words: BackupDialects, _ shown: (FilePath) -> String
    ) -> String {
        var commands: [String] = []
        var others = words
        if words.isEmpty || words.contains(.mark) {
            // It takes along what programs read, but for a tag that is not Headroom's.
            commands.append("headroom mark \(shown(path)) --backup")
            others = words.intersection(.foreignTag)
        }
        if others.contains(.ownTag) || others.contains(.foreignTag) {
            commands.append("rm \(shown(path.appending(CacheDirectoryTag.name)))")
        }
        if others.contains(.attribute) {
            commands.append(BackupWordCommand.removing(BackupFlags.attribute, from: shown(path)))
        }
        if others.contains(.noDump) {
            commands.append(BackupWordCommand.clearingNoDump(of: shown(path)))
        }
        if others.contains(.apple) {
            commands.append(BackupWordCommand.clearingAppleFlag(of: shown(path)))
        }
        return commands.joined(separator: " && ")
    }
}

extension Mark {
    /// The options of `headroom mark` that set it.
    var commandOptions: [String] {
        var options: [String] = []
        switch purgeClass {
        case .lastResort?: options.append("--last-resort")
        case .cache?, .temporary?: options.append("--purgeable")
        case nil: break
        }
        switch isPinned {
        case true?: options.append("--pin")
        case false?: options.append("--unpin")
        case nil: break
        }
        if let importance { options += ["--importance", "\(importance)"] }
        if let isExcludedFromBackup {
            options.append(isExcludedFromBackup ? "--no-backup" : "--backup")
        }
        return options
    }
}
