//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomEngine
import SystemPackage

/// How a command prints what it found: the same options everywhere.
package struct OutputOptions: ParsableArguments {
    @Flag(help: "Print one JSON document, with a “schema” member that names its form.")
    package var json = false

    @Flag(name: [.short, .long], help: "Print no result; the exit code says it all.")
    package var quiet = false

    @Option(help: "Use colour: auto (on a terminal), always or never.")
    package var color = ColorChoice.auto

    package enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
        case auto
        case always
        case never
    }

    package init() {}

    package func validate() throws {
        if json, quiet { throw ValidationError("--json and --quiet exclude each other.") }
    }

    /// Whether a person is looking on who may like to see progress.
    package var showsProgress: Bool { !quiet }

    /// Prints a report to standard output and ends the command with its status.
    ///
    /// - Throws: the exit code unless it is 0; an error if the output cannot be written.
    package func print(_ report: some Report) throws {
        try write(report)
        guard report.status == .done else { throw report.status.code }
    }

    /// Prints a report to standard output.
    package func write<R: Report>(_ report: R) throws {
        guard !quiet else { return }
        let terminal = Terminal(.standardOutput)
        guard json else {
            let bytes = report.rawBytes ?? Array(renderer(terminal).render(report.document).utf8)
            return try Self.send(bytes)
        }
        var output = JSONWriter(isIndented: terminal.isTerminal) { try Self.feed($0) }
        try output.document(R.schema) { report.write(to: &$0) }
    }

    /// Prints reports as JSON Lines: a document each, on a line of its own.
    package func lines<R: Report>(_ reports: [R]) throws {
        for report in reports {
            var output = JSONWriter(isIndented: false) { try Self.feed($0) }
            try output.document(R.schema) { report.write(to: &$0) }
        }
    }

    /// Shows something on standard error that is no result.
    package func say(_ document: Document) {
        let text = renderer(Terminal(.standardError)).render(document)
        // There is nowhere left to report that standard error is closed.
        _ = try? FileDescriptor.standardError.writeAll(text.utf8)
    }

    package func renderer(_ terminal: Terminal) -> TextRenderer {
        TextRenderer(
            width: terminal.width,
            usesColor: color == .always || color == .auto && terminal.allowsColor,
            // mutation: r37f-1
            drawsBars: terminal.isTerminal, showsNext: terminal.isTerminal,
            usesBlocks: terminal.usesBlocks)
    }

    /// Writes all bytes to standard output. A reader that has gone away is not an error: `head`
    /// has seen enough.
    package static func send(_ bytes: [UInt8]) throws {
        do { try feed(bytes) } catch is JSONWriter.ReaderIsGone {}
    }

    /// The same for one part of many, which says that the rest is not wanted.
    package static func feed(_ bytes: [UInt8]) throws {
        do {
            try FileDescriptor.standardOutput.writeAll(bytes)
        } catch Errno.brokenPipe {
            throw JSONWriter.ReaderIsGone()
        } catch let error as Errno {
            throw HeadroomError(.io, "Could not write the output: \(error).", cause: error)
        }
    }
}
