//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom mark` shows: the marks as they are when it ends.
struct MarkReport: Report {
    static let schema = "headroom.mark/1"

    struct Entry {
        var path: FilePath
        /// Its own.
        var mark: Mark
        /// With what the directories around hand down.
        var effective: Mark
        /// Nil if nothing was changed.
        var place: MarkStore.Place?
        /// The exclusions that backup programs see; nil unless its own mark leaves it out.
        var dialects: BackupDialects?

        /// Changes the mark of a path if asked to, and reads it.
        init(
            _ path: FilePath, in workspace: Workspace, clear: Bool, change: ((inout Mark) -> Void)?
        ) throws(HeadroomError) {
            self.path = path
            let marks = workspace.marks
            if clear {
                try marks.clear(path)
            } else if let change {
                place = try workspace.mark(path, change)
            }
            mark = try marks.mark(of: path)
            effective = try workspace.effectiveMark(of: path)
            if mark.isExcludedFromBackup == true || mark.purgeClass != nil {
                dialects = try workspace.backupExclusionReader().exclusion(of: path).dialects
            }
        }
    }

    var entries: [Entry]

    // MARK: - JSON

    func write(to json: inout JSONWriter) {
        json.objects("marks", entries) { json, entry in
            json.member("path", entry.path)
            json.object("own") { Self.write(entry.mark, to: &$0) }
            json.object("effective") { Self.write(entry.effective, to: &$0) }
            if let place = entry.place {
                json.member("keptIn", place == .attribute ? "attribute" : "ledger")
                if case .ledgerOnly(let error) = place {
                    json.member(
                        "ledgerOnly", HeadroomError("mark", entry.path, error).code.description)
                }
            }
            if let dialects = entry.dialects {
                json.array("backupDialects", dialects.names)
            }
        }
    }

    static func write(_ mark: Mark, to json: inout JSONWriter) {
        json.member("class", mark.purgeClass?.purgeClass.name)
        json.member("pinned", mark.isPinned ?? false)
        json.member("importance", mark.importance)
        json.member("noBackup", mark.isExcludedFromBackup ?? false)
    }

    // MARK: - Text

    var document: Document {
        var document = Document()
        var table = Table([.path(), .fixed(), .text()])
        for entry in entries {
            let inherited = entry.effective == entry.mark ? "" : "inherits \(entry.effective.words)"
            table.add(
                .text(StyledText(entry.path.homeRelativeText, .strong)),
                .text(StyledText(entry.mark.isEmpty ? "no mark" : entry.mark.words)),
                .text(StyledText(inherited, .faint)))
            if case .ledgerOnly(let error) = entry.place {
                table.note(
                    StyledText("only the ledger keeps it: \(Self.cause(of: error))", .faint),
                    column: 1)
            }
            if let dialects = entry.dialects { Self.note(dialects, in: &table) }
        }
        document.add(table)
        document.next =
            entries.first.map {
                ["headroom explain \(ShellWord($0.path))"]
            } ?? []
        return document
    }

    /// Why a mark could not be written to the file itself.
    private static func cause(of error: Errno) -> String {
        switch error {
        case .notSupported: "the file system does not support extended attributes"
        case .readOnlyFileSystem: "the volume is mounted read-only"
        case .permissionDenied, .notPermitted: "this user can't change the file's attributes"
        default: "the attribute could not be written (\(error))"
        }
    }

    private static func note(_ dialects: BackupDialects, in table: inout Table) {
        let seen = dialects.intersection(.readByPrograms)
        table.note(
            StyledText(
                seen.isEmpty
                    ? "backup programs see nothing of it here: give them headroom audit --excludes"
                    : "backup programs see \(seen.spoken)", .faint), column: 1)
    }
}

extension Mark {
    /// `last resort, pinned, importance 80, no backup`.
    var words: String {
        var parts: [String] = []
        switch purgeClass {
        case .cache: parts.append("purgeable")
        case let other?: parts.append(other.spokenName)
        case nil: break
        }
        if let isPinned { parts.append(isPinned ? "pinned" : "not pinned") }
        if let importance { parts.append("importance \(importance)") }
        if let isExcludedFromBackup {
            parts.append(isExcludedFromBackup ? "no backup" : "backed up")
        }
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }
}
