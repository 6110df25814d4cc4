//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom trash list` shows.
struct TrashListReport: Report {
    static let schema = "headroom.trash/1"

    var listing: TrashListing
    var now: Timestamp

    /// A volume that did not answer does not make the rest fail.
    var status: ExitStatus { listing.notes.isEmpty ? .done : .partly }

    // MARK: - JSON

    func write(to json: inout JSONWriter) {
        json.member("allocatedBytes", listing.allocated)
        json.member("freesBytes", listing.freed)
        json.array("items") { json in
            for item in listing.items { json.object { write(item, to: &$0) } }
        }
        json.objects("directories", listing.directories) { json, directory in
            json.member("path", directory.path)
            if let volume = directory.volume { json.member("volume", volume) }
            json.member("readOnly", directory.isReadOnly)
        }
        json.objects("notes", listing.notes) { json, note in
            json.member("code", note.code.description)
            json.member("text", note.text)
        }
    }

    private func write(_ item: TrashItem, to json: inout JSONWriter) {
        if let original = item.originalPath {
            json.member("originalPath", original)
        } else {
            json.member("originalPath", nil as String?)
        }
        json.member("path", item.path)
        json.member("class", PlannedClass.trash.name)
        json.member("deleted", item.deleted)
        json.member("deletedFrom", item.isDateKnown ? "information" : "change")
        json.member("expires", item.expires)
        json.member("bytes", item.allocated)
        json.member("freesBytes", item.freed)
        json.member("files", item.fileCount)
        json.member("directory", item.type == .directory)
        json.member("readOnly", item.directory.isReadOnly)
        json.member("receipt", item.receipt)
    }

    // MARK: - Text

    var document: Document {
        var document = Document()
        for note in listing.notes { document.add(StyledText(note.text, .warning)) }
        guard !listing.items.isEmpty else {
            document.add(StyledText("The trash is empty."))
            return document
        }
        var table = Table([
            .figure("bytes"), .fixed("thrown away"), .fixed("expires"), .path("was"),
        ])
        for item in listing.items {
            table.add(
                item.freed.map { .size($0) } ?? .text("?"),
                .text(StyledText(item.deleted.ago(from: now))),
                .text(expiry(of: item)), .text(name(of: item)))
        }
        document.add(table)
        document.addBlank()
        document.add(
            StyledText(
                "\(listing.freed) in \(listing.items.count.counted("item"))", .strong)
                + StyledText(". What has expired goes with the next purge; the rest by hand."))
        document.next = ["headroom trash restore PATH", "headroom trash empty"]
        return document
    }

    private func expiry(of item: TrashItem) -> StyledText {
        let rest = item.expires.duration(since: now)
        return rest <= .zero
            ? StyledText("expired", .warning) : StyledText("in \(rest.inWords)", .faint)
    }

    private func name(of item: TrashItem) -> StyledText {
        let slash = item.type == .directory ? "/" : ""
        let state = StyledText(item.directory.isReadOnly ? "  (read-only volume)" : "", .faint)
        guard let path = item.originalPath else {
            return StyledText(item.path.homeRelativeText + slash)
                + StyledText("  (unknown where it was)", .warning) + state
        }
        return StyledText(path.homeRelativeText + slash) + state
    }
}

extension Timestamp {
    /// How long ago it was, in words.
    func ago(from now: Timestamp) -> String {
        let age = now.duration(since: self)
        return age < .seconds(60) ? "just now" : "\(age.inWords) ago"
    }
}
