//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom catalogue clean` would run.
struct CatalogueCommandsReport: Report {
    static let schema = "headroom.catalogue.clean.preview/1"

    var commands: [CatalogueCleanJob.Command]

    func write(to json: inout JSONWriter) {
        json.objects("commands", commands) { json, command in
            json.member("id", command.entry.id)
            json.member("name", command.entry.name)
            json.array("command") { json in
                json.value(command.command.program.displayText)
                for word in command.command.arguments { json.value(word) }
            }
            json.member("limitSeconds", command.limit.components.seconds)
            json.member("cost", command.entry.cost)
            json.array("places") { json in
                for place in command.places { json.value(place.displayText) }
            }
        }
    }

    var document: Document {
        var document = Document()
        for command in commands {
            if !document.blocks.isEmpty { document.addBlank() }
            document.add(
                StyledText(command.entry.name, .strong)
                    + StyledText("  \(command.entry.id)", .faint))
            document.add(
                facts: [
                    .init("Runs", StyledText(command.command.text, .strong)),
                    .init("Time", StyledText("\(command.limit.inWords) at most")),
                    .init("Costs", StyledText(command.entry.cost)),
                ] + command.places.map { .init("Here", StyledText($0.homeRelativeText)) })
        }
        document.addBlank()
        document.add(
            StyledText("What they remove is up to the tools: nothing brings it back.", .warning))
        return document
    }
}

/// What `headroom catalogue clean` has done.
struct CatalogueCleanReport: Report {
    static let schema = "headroom.catalogue.clean/1"

    struct Row {
        var outcome: CatalogueCleaning

        init(_ outcome: CatalogueCleaning) { self.outcome = outcome }

        var words: String {
            if outcome.isTimedOut { return "ended, because it took too long" }
            if outcome.isCancelled { return "ended before it was done" }
            guard let code = outcome.exitCode else { return "ended by a signal" }
            return code == 0 ? "done" : "failed, with exit code \(code)"
        }

        var style: Style { outcome.succeeded ? .strong : .warning }

        var freedText: String { outcome.freed.map { "\($0)" } ?? "not to be measured" }

        /// The last lines that it wrote.
        func lastLines(_ count: Int) -> [String] {
            outcome.output.split(whereSeparator: \.isNewline).suffix(count).map(String.init)
        }
    }

    var rows: [Row] = []
    var isInterrupted = false

    var status: ExitStatus {
        if isInterrupted { return .interrupted }
        return rows.allSatisfy(\.outcome.succeeded) ? .done : .partly
    }

    func write(to json: inout JSONWriter) {
        json.objects("commands", rows) { json, row in
            json.member("id", row.outcome.entry.id)
            json.member("program", row.outcome.program)
            json.member("succeeded", row.outcome.succeeded)
            json.member("exitCode", row.outcome.exitCode.map(Int.init))
            json.member("timedOut", row.outcome.isTimedOut)
            json.member("freedBytes", row.outcome.freed)
            json.member("output", row.outcome.output)
        }
    }

    var document: Document {
        var document = Document()
        for row in rows {
            document.add(
                StyledText("\(row.outcome.entry.name): \(row.words), freed ", row.style)
                    + StyledText(row.freedText, .strong))
            // Of what has gone well, the tool's own words say nothing more.
            guard !row.outcome.succeeded else { continue }
            for line in row.lastLines(8) { document.add(StyledText("  " + line, .faint)) }
        }
        if isInterrupted {
            document.add(StyledText("Interrupted: the rest was not run.", .warning))
        }
        return document
    }
}
