//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `status` and `doctor` say of files that are deleted and still open.
struct DeletedFilesText {
    private static let shown = 5
    /// Smaller ones explain no difference that a person sees; JSON has them.
    private static let smallest = ByteCount.megabytes(1)

    private let files: [DeletedFiles.File]
    private let hiddenProcesses: Int

    init(_ files: [DeletedFiles.File], hiddenProcesses: Int) {
        self.files = files
        self.hiddenProcesses = hiddenProcesses
    }

    private var bytes: ByteCount { files.reduce(.zero) { $0 + $1.allocated } }

    func write(to json: inout JSONWriter) {
        json.member("deletedOpenBytes", bytes)
        // mutation: r37d-1
        json.objects("deletedOpenFiles", files) { json, file in
            if let path = file.path { json.member("path", path) }
            json.member("process", file.process)
            json.member("command", file.command)
            json.member("bytes", file.allocated)
        }
        json.member("hiddenProcesses", hiddenProcesses)
    }

    /// Adds nothing if there are none that matter.
    func describe(in document: inout Document) {
        let known = files.filter { $0.allocated >= Self.smallest }
        let largest = known.prefix(Self.shown)
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
        if known.count > Self.shown {
            let more = known.count - Self.shown
            table.note(StyledText("and \(more.grouped) more", .faint), column: 1)
        }
        document.add(table)
    }
}
