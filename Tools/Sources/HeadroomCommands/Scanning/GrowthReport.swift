//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom scan --since` found.
struct GrowthReport: Report {
    static let schema = "headroom.growth/1"

    /// From when on; nil: the listing does not say when it was made.
    var since: Timestamp?
    /// What it was compared with; nil: times alone.
    var listing: FilePath?
    var now: Timestamp
    /// One for each path that was named.
    var growths: [Growth]
    var scan: ScanReport
    /// Directories that could not be read when the listing was made.
    var unreadableThen = 0

    var status: ExitStatus { scan.status }

    // MARK: - JSON

    func write(to json: inout JSONWriter) {
        json.member("since", since)
        if let listing { json.member("listing", listing) }
        json.member("knowsDeletions", listing != nil)
        json.member("errors", scan.errorCount)
        json.member("interrupted", scan.isInterrupted)
        json.objects("errorList", scan.failures) { json, failure in
            json.member("path", failure.path)
            json.member("reason", failure.reason)
        }
        json.objects("roots", growths) { json, growth in
            json.member("path", growth.root)
            Self.write(growth.sums, to: &json)
            json.objects("directories", growth.directories) { json, place in
                json.member("path", place.path)
                Self.write(place.sums, to: &json)
            }
            json.objects("items", growth.items) { json, item in
                json.member("path", item.path)
                json.member("kind", item.kind.rawValue)
                json.member("bytes", item.bytes)
                json.member("allocatedBytes", item.allocated)
            }
        }
    }

    private static func write(_ sums: Growth.Sums, to json: inout JSONWriter) {
        json.member("newBytes", sums.new)
        json.member("newFiles", sums.newFiles)
        json.member("grownBytes", sums.grown)
        json.member("grownFiles", sums.grownFiles)
        json.member("touchedBytes", sums.touched)
        json.member("touchedFiles", sums.touchedFiles)
        json.member("goneBytes", sums.gone)
    }

    // MARK: - Text

    var document: Document {
        var document = Document()
        for growth in growths {
            document.addBlank()
            document.add(headline(growth))
            guard !growth.items.isEmpty else { continue }
            if !growth.directories.isEmpty { document.add(directories(growth)) }
            document.addBlank()
            document.add(StyledText("The largest that are new or grew:"))
            document.add(items(growth))
        }
        document.addBlank()
        document.add(StyledText(limits, .faint))
        scan.describe(in: &document)
        if let root = growths.first?.root {
            let path = ShellWord(root)
            document.next =
                listing == nil
                ? ["headroom scan \(path) --export ncdu FILE", "headroom scan --since FILE"]
                : ["headroom scan \(path)", "headroom explain PATH"]
        }
        return document
    }

    /// What cannot be known, said each time: people act on it.
    private var limits: String {
        guard listing != nil else {
            return
                "By times alone: what was deleted since is not seen; of what was written, the whole "
                + "size counts, though only a part may be new; what was moved here, or got another "
                + "owner, link or permissions, is “touched”. A saved listing tells more: headroom "
                + "scan --export ncdu FILE now, and --since FILE later."
        }
        let then =
            unreadableThen > 0
            ? " \(unreadableThen.counted("directory", "directories")) could not be read when it was "
                + "made: what lies there counts as new." : ""
        return "Compared by path: what was moved or renamed is gone there and new here." + then
    }

    private func headline(_ growth: Growth) -> StyledText {
        let sums = growth.sums
        var parts: [String] = []
        func add(_ bytes: ByteCount, _ what: String, _ files: Int) {
            if files > 0 { parts.append("\(bytes) \(what) in \(files.counted("file"))") }
        }
        add(sums.new, "new", sums.newFiles)
        add(sums.grown, listing == nil ? "at most by writing" : "grown", sums.grownFiles)
        add(sums.touched, "touched", sums.touchedFiles)
        if let gone = sums.gone, gone > .zero { parts.append("\(gone) gone") }
        let text = parts.isEmpty ? "nothing grew" : parts.joined(separator: ", ")
        return StyledText(growth.root.homeRelativeText, .strong) + StyledText("  \(text)")
            + StyledText("  \(moment)", .faint)
    }

    private var moment: String {
        guard let since else { return "since the listing" }
        let age = now.duration(since: since).ageDescription
        return "since \(since.localDescription ?? since.iso8601), \(age) ago"
    }

    private func directories(_ growth: Growth) -> Table {
        var table = Table([.figure(), .path(), .fixed()], indent: 2)
        for place in growth.directories {
            let gone = place.sums.gone.map { $0 > .zero ? "\($0) gone" : "" } ?? ""
            table.add(
                .size(place.sums.come), .text(name(place.path, growth.root)),
                .text(StyledText(gone, .faint)))
        }
        return table
    }

    private func items(_ growth: Growth) -> Table {
        var table = Table([.figure(), .fixed(), .path()], indent: 2)
        for item in growth.items {
            let word = item.kind == .grown && listing == nil ? "written" : item.kind.rawValue
            table.add(
                .size(item.bytes), .text(StyledText(word, .faint)),
                .text(name(item.path, growth.root)))
        }
        return table
    }

    private func name(_ path: FilePath, _ root: FilePath) -> StyledText {
        var relative = path
        return StyledText(
            relative.removePrefix(root) ? relative.displayText : path.displayText)
    }
}
