//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore

extension Audit {
    /// Has the fix of what is in no backup name the words that keep it out: a mark is taken back by
    /// another command than what another program has said. Blocks: reads what the finding is about, and
    /// the directories around it.
    mutating func nameWords(by reader: BackupExclusionReader) {
        for index in findings.indices where findings[index].code == .userContentExcluded {
            let path = findings[index].path
            // What is gone by now keeps the command that takes back a mark.
            guard let exclusion = try? reader.exclusion(of: path) else { continue }
            switch exclusion {
            case .own(let words):
                findings[index].fix = AuditFix(
                    .includeInBackup(path, saidBy: words), isSafe: false)
            case .inherited(let directory, let words):
                // It lies in what is left out, and was named by itself.
                findings[index].fix = AuditFix(
                    .includeInBackup(directory, saidBy: words), isSafe: false)
            case .none, .byLocation: continue
            }
        }
    }
}
