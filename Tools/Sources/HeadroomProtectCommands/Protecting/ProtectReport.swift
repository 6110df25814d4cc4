//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import SystemPackage

/// What `headroom protect` found or did.
struct ProtectReport: Report {
    static let schema = "headroom.protect/1"

    struct Entry {
        var path: FilePath
        var before: Protection
        var after: Protection
        /// Of a directory: it is about files that will be saved in it.
        var isForNewFiles = false
        var failure: String?
    }

    var entries: [Entry] = []

    var status: ExitStatus {
        let failed = entries.count { $0.failure != nil }
        return failed == 0 ? .done : failed == entries.count ? .failed : .partly
    }

    // MARK: - JSON

    func write(to json: inout JSONWriter) {
        json.objects("files", entries) { json, entry in
            json.member("path", entry.path)
            json.member("before", entry.before.name)
            json.member("protection", entry.after.name)
            json.member("forNewFiles", entry.isForNewFiles)
            json.member("failure", entry.failure)
        }
    }

    // MARK: - Text

    var document: Document {
        var document = Document()
        var table = Table([.path(), .text()])
        for entry in entries {
            table.add(
                .text(StyledText(entry.path.homeRelativeText, .strong)),
                .text(StyledText(words(entry))))
            if let failure = entry.failure {
                table.note(StyledText(failure, .warning), column: 1)
            }
        }
        document.add(table)
        let isNew = entries.contains {
            $0.before == .level(.none) && $0.after != $0.before && !$0.isForNewFiles
        }
        if isNew {
            document.addBlank()
            document.add(
                StyledText(
                    "What stood there in clear may still be found on the disk until its blocks are "
                        + "used again, in snapshots and in backups.", .faint))
        }
        return document
    }

    private func words(_ entry: Entry) -> String {
        let now =
            switch entry.after {
            case .level(.none): entry.isForNewFiles ? "nothing for new files" : "not protected"
            case .level(let level):
                entry.isForNewFiles ? "new files: \(level.name)" : "\(level.name), \(level.summary)"
            case .unknown: "unknown: it cannot be read, or understood"
            }
        guard entry.before != entry.after, entry.before != .level(.none) else { return now }
        return "\(now); was \(entry.before.name)"
    }
}
