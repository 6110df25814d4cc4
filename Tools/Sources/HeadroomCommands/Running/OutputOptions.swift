//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomEngine
import SystemPackage

/// How a command prints what it found: the same options everywhere.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print one JSON document, with a “schema” member that names its form.")
    var json = false

    @Flag(name: [.short, .long], help: "Print no result; the exit code says it all.")
    var quiet = false

    @Option(help: "Use colour: auto (on a terminal), always or never.")
    var color = ColorChoice.auto

    enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
        case auto
        case always
        case never
    }

    func validate() throws {
        if json, quiet { throw ValidationError("--json and --quiet exclude each other.") }
    }

    /// Whether a person is looking on who may like to see progress.
    var showsProgress: Bool { !quiet }

    /// Prints a report to standard output and ends the command with its status.
    ///
    /// - Throws: the exit code unless it is 0; an error if the output cannot be written.
    func print(_ report: some Report) throws {
        try write(report)
        guard report.status == .done else { throw report.status.code }
    }

    /// Prints a report to standard output.
    func write<R: Report>(_ report: R) throws {
        guard !quiet else { return }
        let terminal = Terminal(.standardOutput)
        guard json else {
            return try Self.send(Array(renderer(terminal).render(report.document).utf8))
        }
        var output = JSONOutput(isIndented: terminal.isTerminal) { try Self.send($0) }
        try output.document(R.schema) { report.write(to: &$0) }
    }

    private func renderer(_ terminal: Terminal) -> TextRenderer {
        TextRenderer(
            width: terminal.width,
            usesColor: color == .always || color == .auto && terminal.allowsColor,
            drawsBars: terminal.isTerminal, showsNext: terminal.isTerminal,
            usesBlocks: terminal.usesBlocks)
    }

    /// Writes all bytes to standard output. A reader that has gone away is not an error: `head`
    /// has seen enough.
    private static func send(_ bytes: [UInt8]) throws {
        do {
            try FileDescriptor.standardOutput.writeAll(bytes)
        } catch Errno.brokenPipe {
            return
        } catch let error as Errno {
            throw HeadroomError(.io, "Could not write the output: \(error).", cause: error)
        }
    }
}
