//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform

struct CleanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean",
        abstract: "Choose by hand what goes: on the whole screen, with the keyboard.",
        usage: """
            headroom clean
            headroom clean --list
            headroom clean (--section <id> … | <item> … | --deep) [--preview | --yes]
            """,
        discussion: """
            Caches, registered directories and trash are purged, with all checks; your own files \
            (downloads, videos, images, …) are moved to the trash, from where u, or headroom trash \
            restore --receipt, brings them back. On a terminal that cannot move its cursor, headroom \
            clean shows the list. Exit codes: 0 done, 4 something stayed, 130 interrupted; of the \
            screen, by what was done last and not undone.
            """)

    @Argument(help: "Items by their path, as --list --json has them in “id”.")
    var items: [String] = []

    @Option(
        help: ArgumentHelp(
            "All of a section: caches, directories, downloads, video, image, audio, pdf, document, archive, other, trash.",
            valueName: "id"),
        transform: Values.section)
    var section: [CleaningSection] = []

    @Flag(help: "Everything that can be made again, last resort included; none of your own files.")
    var deep = false

    @Flag(help: "Show what there is, and change nothing.")
    var list = false

    @Flag(help: "Show what would really be freed, and change nothing.")
    var preview = false

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var idle: IdleOptions

    @OptionGroup var output: OutputOptions

    private var isPlain: Bool { list || deep || !section.isEmpty || !items.isEmpty }

    func validate() throws {
        if list, deep || !section.isEmpty || !items.isEmpty || yes || preview {
            throw ValidationError("--list shows everything: leave out the rest.")
        }
        if deep, !section.isEmpty || !items.isEmpty {
            throw ValidationError("--deep is everything: name no section and no item.")
        }
        if preview || yes, !isPlain {
            throw ValidationError("Say what: --section, --deep or items.")
        }
        if output.json, !isPlain {
            throw ValidationError("The screen has no JSON: use --list, --section or --deep.")
        }
    }

    func run() throws {
        guard isPlain else { return try runScreen() }
        Interruption.install()
        let workspace = try Session.open(
            forWriting: !list && !preview, heedsConfiguration: true, minIdle: idle.value)
        let job = CleanJob(
            cleaner: Cleaner(workspace), output: output, clock: workspace.clock)
        let sections = deep ? [] : try job.survey()
        if list { return try output.print(CleanListReport(sections: sections, now: job.clock())) }
        let selection = deep ? .deep : try job.selection(section, items, in: sections)
        if preview { return try output.print(try job.preview(selection)) }
        if !yes {
            output.say(try job.preview(selection).document)
            // mutation: r37b-2
            guard try isConfirmed() else { throw ExitStatus.failed.code }
        }
        try output.print(try job.clean(selection))
    }

    private func isConfirmed() throws -> Bool {
        switch Confirmation().ask("Clean?") {
        case .yes: return true
        case .no:
            Diagnostics.say("Nothing was cleaned.")
            return false
        case .nobody:
            throw HeadroomError(
                .refused,
                "Nobody can be asked: standard input or error is no terminal. Add --yes to clean "
                    + "without a question, or --preview to look.")
        }
    }

    private func runScreen() throws {
        if FullScreen.isWithoutCursor {
            // As much as such a terminal can do.
            Diagnostics.say(
                "This terminal (TERM=\(Terminal.variable("TERM") ?? "")) cannot show the screen. This is "
                    + "the list; --section or items, with --yes, clean.")
            var plain = self
            plain.list = true
            return try plain.run()
        }
        guard FullScreen.isPossible, let screen = FullScreen() else {
            throw HeadroomError(
                .refused,
                "The screen needs a terminal. Use headroom clean --list, or --section with --yes.")
        }
        let workspace = try Session.open(
            forWriting: true, heedsConfiguration: true, minIdle: idle.value)
        let session = CleanSession(
            Cleaner(workspace), screen: screen, clock: workspace.clock)
        if let result = try session.run() {
            // What was on the other screen is gone: the essence stays.
            output.say(CleanReport(result: result).document)
        }
        // A signal is no key by which a person leaves.
        let status = screen.isEnded ? .interrupted : session.status
        guard status == .done else { throw status.code }
    }
}

extension Values {
    @Sendable static func section(_ text: String) throws -> CleaningSection {
        guard let section = CleaningSection(id: text), section != .moduleCaches else {
            let ids = CleaningSection.all.filter { $0 != .moduleCaches }.map(\.id)
            throw InvalidValue("write one of \(ids.joined(separator: ", ")).")
        }
        return section
    }
}
