//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlanning

/// Lost marks as an audit shows them: what is put back, and what only a person can decide.
enum LostMarkFindings {
    static func findings(of lost: LostMark) -> [AuditFinding] {
        var found: [AuditFinding] = []
        let happened =
            switch lost.cause {
            case .stripped: "a program has taken it off"
            case .replaced: "another file is in its place"
            case .uncertain: "its file system does not tell whether it is the same file"
            }
        if !lost.restored.isEmpty {
            found.append(
                AuditFinding(
                    .lostMark, .warning, lost.path,
                    "It was marked as \(lost.restored.spoken), and has lost that: \(happened).",
                    fix: AuditFix(.restoreMark(lost.path, lost.restored), isSafe: true)))
        }
        if !lost.reported.isEmpty {
            found.append(
                AuditFinding(
                    .lostMark, .note, lost.path,
                    "It was marked as \(lost.reported.spoken), and has lost that: \(happened), "
                        + "which does not inherit it. Mark it anew if it is meant, or forget it.",
                    // mutation: r12d-1
                    fix: AuditFix(.restoreMark(lost.path, lost.reported), isSafe: false)))
        }
        return found
    }
}

extension Mark {
    /// As in a sentence: `last resort, pinned and not to be backed up`.
    var spoken: String {
        var words: [String] = []
        switch purgeClass {
        case .cache: words.append("purgeable")
        case let other?: words.append(other.spokenName)
        case nil: break
        }
        if let isPinned { words.append(isPinned ? "pinned" : "not pinned") }
        if let importance { words.append("of importance \(importance)") }
        if let isExcludedFromBackup {
            words.append(isExcludedFromBackup ? "not to be backed up" : "to be backed up")
        }
        guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }
}
