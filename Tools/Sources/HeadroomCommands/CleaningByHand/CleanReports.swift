//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom clean --list` shows.
struct CleanListReport: Report {
    static let schema = "headroom.cleanables/1"
    private static let shownItems = 5

    var sections: [CleaningUpdate]
    var now: Timestamp

    func write(to json: inout JSONWriter) {
        json.objects("sections", sections) { json, update in
            json.member("id", update.section.id)
            json.member("title", update.section.title)
            json.member("recreatable", update.section.isRecreatable)
            json.member("bytes", update.allocated)
            json.member("complete", update.isComplete)
            json.array("items") { json in
                for item in update.items { json.object { Self.write(item, to: &$0) } }
            }
        }
    }

    private static func write(_ item: Cleanable, to json: inout JSONWriter) {
        json.member("id", item.id)
        json.member("name", item.name)
        if let path = item.path { json.member("path", path) }
        json.member("note", item.note)
        json.member("bytes", item.allocated)
        json.member("files", item.fileCount)
        json.member("lastUse", item.lastUse)
        json.member("action", item.action.name)
    }

    var document: Document {
        var document = Document()
        var table = Table([
            .figure("bytes"), .fixed(), .figure("items"), .path("section"), .fixed("last use"),
        ])
        let most = Double(max(1, sections.map(\.allocated.bytes).max() ?? 1))
        for update in sections where !update.items.isEmpty {
            table.add(
                .size(update.allocated, .strong),
                .bar(Double(update.allocated.bytes) / most, width: 10, .cache),
                .figure(update.items.count),
                .text(
                    StyledText(update.section.title, .strong)
                        + StyledText("  --section \(update.section.id)", .faint)), .empty)
            for item in update.items.prefix(Self.shownItems) {
                let age = item.lastUse.map { now.duration(since: $0).ageDescription } ?? ""
                let place = item.directoryText.map { "  " + $0 }
                table.add(
                    item.allocated.map { .size($0) } ?? .text("?"), .empty, .empty,
                    .text(StyledText("  " + item.name) + StyledText(place ?? "", .faint)),
                    .text(StyledText(age, .faint)))
            }
            let more = update.items.count - Self.shownItems
            if more > 0 {
                table.note(StyledText("  and \(more.grouped) more", .faint), column: 3)
            }
        }
        guard !table.rows.isEmpty else {
            document.add(StyledText("There is nothing to clean."))
            return document
        }
        document.add(table)
        document.next = ["headroom clean", "headroom clean --section caches --preview"]
        return document
    }
}

/// What `headroom clean --preview` shows.
struct CleanPreviewReport: Report {
    static let schema = "headroom.clean.preview/1"

    var selection: CleaningSelection
    var preview: CleaningPreview

    func write(to json: inout JSONWriter) {
        json.member("freesNowBytes", preview.freesNow)
        json.member("freesWhenEmptiedBytes", preview.freesLater)
        json.member("purgedItems", preview.purgedItems)
        json.member("disposedItems", preview.disposedItems)
        json.objects("kept", preview.kept) { json, kept in
            json.member("path", kept.path)
            json.member("reason", kept.reason)
        }
    }

    var document: Document {
        var document = Document()
        document.add(facts: [
            .init(
                "Frees now",
                StyledText("\(preview.freesNow)", .strong)
                    + StyledText(
                        preview.purgedItems > 0
                            ? ", deleted for good: \(preview.purgedItems.counted("item"))" : "")),
            .init(
                "To the trash",
                StyledText(preview.disposedItems.counted("item"), .strong)
                    + StyledText(
                        preview.disposedItems > 0
                            ? ": frees 0 now, \(preview.freesLater) when emptied" : "")),
        ])
        for kept in preview.kept { document.add(StyledText(kept.reason.text, .warning)) }
        return document
    }
}

/// What `headroom clean` says when it is done.
struct CleanReport: Report {
    static let schema = "headroom.clean/1"

    var result: CleaningResult

    var status: ExitStatus {
        if result.isCancelled { return .interrupted }
        return result.skipped.isEmpty ? .done : .partly
    }

    func write(to json: inout JSONWriter) {
        json.member("freedBytes", result.freed)
        json.member("movedToTrashBytes", result.movedToTrash)
        json.member("cancelled", result.isCancelled)
        for (name, receipt) in [("purge", result.purge), ("disposal", result.disposal)] {
            if let receipt { json.object(name) { receipt.write(to: &$0) } }
        }
    }

    var document: Document {
        var document = Document()
        guard result.purge != nil || result.disposal != nil else {
            document.add(
                result.isCancelled
                    ? StyledText("Interrupted before anything was cleaned.", .warning)
                    : StyledText("There was nothing to clean."))
            return document
        }
        for receipt in [result.purge, result.disposal].compactMap(\.self) {
            ReceiptText(receipt).describeResult(in: &document, took: nil)
        }
        if let disposal = result.disposal, disposal.removedCount > 0 {
            document.next = ["headroom trash restore --receipt \(disposal.shortID)"]
        }
        return document
    }
}

extension Cleanable {
    /// Where it lies; of trash, where it lay.
    fileprivate var directoryText: String? {
        if action == .empty { return FilePath(note).homeRelativeText }
        return path?.removingLastComponent().homeRelativeText
    }
}

extension Cleanable.Action {
    /// The name in JSON.
    var name: String {
        switch self {
        case .purge, .purgeLooseFiles: "purge"
        case .dispose: "dispose"
        case .empty: "empty"
        case .module: "module"
        case .command: "command"
        }
    }
}
