//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom forget` has taken away.
struct ForgetReport: Report {
    static let schema = "headroom.forget/1"

    var forgotten: Forgotten

    var status: ExitStatus { forgotten.failures.isEmpty ? .done : .partly }

    // MARK: - JSON

    func write(to json: inout JSONWriter) {
        json.objects("marks", forgotten.marks) { json, mark in
            json.member("path", mark.path)
            json.object("mark") { MarkReport.write(mark.mark, to: &$0) }
            json.member("wasDamaged", mark.wasDamaged)
        }
        json.array("tags") { json in
            for tag in forgotten.tags { json.object { $0.member("path", tag) } }
        }
        json.objects("registrations", forgotten.registrations) { json, area in
            json.member("path", area.root)
            json.member("class", area.purgeClass.name)
            json.member("origin", area.origin)
        }
        json.array("failures", forgotten.failures)
    }

    // MARK: - Text

    var document: Document {
        var document = Document()
        guard !forgotten.isEmpty || !forgotten.failures.isEmpty else {
            document.add(StyledText("There was nothing to forget."))
            return document
        }
        var table = Table([.path(), .text()])
        for mark in forgotten.marks {
            let words = mark.wasDamaged ? "a mark that could not be read" : mark.mark.words
            table.add(
                .text(StyledText(mark.path.homeRelativeText, .strong)), .text(StyledText(words)))
        }
        for tag in forgotten.tags {
            table.add(
                .text(StyledText(tag.homeRelativeText, .strong)), .text(StyledText("a tag")))
        }
        for area in forgotten.registrations {
            table.add(
                .text(StyledText(area.root.homeRelativeText, .strong)),
                .text(StyledText("registered as \(area.purgeClass.spokenName), \(area.origin)")))
        }
        document.add(table)
        for failure in forgotten.failures { document.add(StyledText(failure, .warning)) }
        document.addBlank()
        document.add(StyledText("Forgotten: \(summary)."))
        return document
    }

    private var summary: String {
        let parts = [
            (forgotten.marks.count, "mark"), (forgotten.tags.count, "tag"),
            (forgotten.registrations.count, "registration"),
        ].filter { $0.0 > 0 }.map { $0.0.counted($0.1) }
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }
}
