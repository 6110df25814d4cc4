//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom audit --excludes` writes.
struct ExcludesReport: Report {
    static let schema = "headroom.excludes/1"

    var program: BackupProgram
    var paths: [FilePath]
    var list: ExcludeList
    var written: ExcludeList.Written

    /// In part: something that needs no backup will be backed up.
    var status: ExitStatus {
        let isUnread = list.notes.contains { $0.code == .unreadable }
        return isUnread || !written.unexpressed.isEmpty ? .partly : .done
    }

    /// The list itself: bytes that are no text of ours.
    var rawBytes: [UInt8]? { written.bytes }

    var document: Document { Document() }

    // MARK: - JSON

    func write(to json: inout JSONWriter) {
        json.member("program", program.rawValue)
        json.array("entries") { json in
            for entry in list.entries { json.object { Self.write(entry, to: &$0) } }
        }
        json.array("unexpressed") { json in
            for entry in written.unexpressed { json.object { $0.member("path", entry.path) } }
        }
        json.objects("notes", list.notes) { json, note in
            json.member("code", note.code.description)
            json.member("text", note.text)
        }
    }

    private static func write(_ entry: ExcludeList.Entry, to json: inout JSONWriter) {
        json.member("path", entry.path)
        json.member("directory", entry.isDirectory)
        json.object("backup") { $0.members(of: entry.exclusion) }
    }

    // MARK: - What is said of it

    /// To standard error, where the list does not go.
    func say() {
        for note in list.notes { Diagnostics.say(note.text) }
        for entry in written.unexpressed {
            Diagnostics.say(
                "\(program.rawValue) cannot be told to leave out \(entry.path.displayText): its "
                    + "lists have no way to write that name. Rename it, or mark the directory it is "
                    + "in with --no-backup.")
        }
        guard Terminal(.standardError).isTerminal else { return }
        Diagnostics.say("\(written.count.counted("entry", "entries")), for: \(command)")
    }

    private var command: String {
        let places = paths.map { ShellWord($0).description }
            .joined(separator: " ")
        return switch program {
        case .restic: "restic backup --exclude-file FILE \(places)"
        case .borg: "borg create --exclude-from FILE REPOSITORY::NAME \(places)"
        case .tar: "tar --create --anchored --exclude-from FILE --file ARCHIVE \(places)"
        case .rsync:
            paths.count == 1
                ? "rsync -a --exclude-from FILE \(places)/ DESTINATION"
                : "rsync -aR --exclude-from FILE \(places) DESTINATION"
        }
    }
}
