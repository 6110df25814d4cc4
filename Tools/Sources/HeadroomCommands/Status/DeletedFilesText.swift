//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `status` and `doctor` say of files that are deleted and still open.
struct DeletedFilesText {
    private static let shown = 5

    private let files: [DeletedFiles.File]
    private let hiddenProcesses: Int

    init(_ files: [DeletedFiles.File], hiddenProcesses: Int) {
        self.files = files
        self.hiddenProcesses = hiddenProcesses
    }

    private var bytes: ByteCount { files.reduce(.zero) { $0 + $1.allocated } }

    func write(to json: inout JSONOutput) {
        json.field("deletedOpenBytes", bytes)
        json.array("deletedOpenFiles") { json in
            for file in files {
                json.object { json in
                    if let path = file.path { json.field("path", path) }
                    json.field("process", file.process)
                    json.field("command", file.command)
                    json.field("bytes", file.allocated)
                }
            }
        }
        json.field("hiddenProcesses", hiddenProcesses)
    }

    /// Adds nothing if there are none that matter.
    func describe(in document: inout Document) {
        let largest = files.filter { $0.allocated > .zero }.prefix(Self.shown)
        guard !largest.isEmpty else { return }
        document.addBlank()
        document.add(
            StyledText("Deleted, but still open", .strong)
                + StyledText(
                    "  \(bytes) that df counts and du does not, until the program closes them",
                    .faint))
        var table = Table([.figure(), .text(), .path()], indent: 2)
        for file in largest {
            let command = file.command.isEmpty ? "process" : file.command
            table.add(
                .size(file.allocated), .text(StyledText("\(command) \(file.process)")),
                .text(StyledText(file.path?.homeRelativeText ?? "", .faint)))
        }
        let count = files.count { $0.allocated > .zero }
        if count > Self.shown {
            table.note(StyledText("and \((count - Self.shown).grouped) more", .faint), column: 1)
        }
        document.add(table)
    }
}
