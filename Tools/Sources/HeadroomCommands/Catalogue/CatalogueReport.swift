//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom catalogue` shows.
struct CatalogueReport: Report {
    static let schema = "headroom.catalogue/1"

    /// An entry, with where it is here.
    struct Row {
        var entry: CatalogueEntry
        /// Empty: it is not here.
        var places: [Place]

        var bytes: ByteCount { places.reduce(.zero) { $0 + ($1.bytes ?? .zero) } }

        /// The bytes that a purge of it would free; nil: a purge does not touch it.
        var reclaimable: ByteCount? {
            let known = places.compactMap(\.reclaimable)
            return known.isEmpty ? nil : known.reduce(.zero, +)
        }
    }

    struct Place {
        var path: FilePath
        /// Nil: it could not be measured.
        var bytes: ByteCount?
        /// The bytes that a purge of it would free; nil: a purge does not touch it.
        var reclaimable: ByteCount?
    }

    var rows: [Row]
    var isDetailed: Bool

    // MARK: - JSON

    func write(to json: inout JSONWriter) {
        json.array("caches") { json in
            for row in rows { json.object { Self.write(row, to: &$0) } }
        }
    }

    private static func write(_ row: Row, to json: inout JSONWriter) {
        json.members(of: row.entry)
        json.member("bytes", row.bytes)
        json.member("reclaimableBytes", row.reclaimable)
        json.objects("places", row.places) { json, place in
            json.member("path", place.path)
            json.member("bytes", place.bytes)
            json.member("reclaimableBytes", place.reclaimable)
        }
        json.array("knownPlaces") { json in
            for place in row.entry.places { json.value(place.text) }
        }
    }

    // MARK: - Text

    var document: Document {
        var document = Document()
        guard !isDetailed else {
            for row in rows {
                document.addBlank()
                document.add(
                    StyledText(row.entry.name, .strong) + StyledText("  \(row.entry.id)", .faint))
                document.add(facts: Self.facts(of: row))
            }
            document.next = next
            return document
        }
        guard !rows.isEmpty else {
            document.add("None of the well-known caches is here.")
            document.next = ["headroom catalogue --all"]
            return document
        }
        var table = Table([
            .fixed("cache"), .figure("bytes"), .figure("reclaimable"), .fixed("class"),
            .fixed("id"), .path("where"),
        ])
        for row in rows {
            let where_ = row.places.first.map { $0.path.homeRelativeText } ?? "not here"
            let more = row.places.count > 1 ? " and \(row.places.count - 1) more" : ""
            table.add(
                .text(StyledText(row.entry.name, .strong)),
                row.places.isEmpty ? .empty : .size(row.bytes),
                row.reclaimable.map { .size($0) } ?? .empty,
                .text(Self.purgeClass(of: row.entry)), .text(StyledText(row.entry.id, .faint)),
                .text(StyledText(where_ + more, row.places.isEmpty ? .faint : .plain)))
        }
        document.add(table)
        document.next = next
        return document
    }

    private var next: [String] {
        guard let first = rows.first else { return [] }
        if !isDetailed {
            return ["headroom catalogue \(first.entry.id)", "headroom plan --free 1GB"]
        }
        guard let place = first.places.first else { return ["headroom catalogue"] }
        let path = ShellWord(place.path)
        return first.entry.isPurgeable
            ? ["headroom plan \(path) --all"] : ["headroom catalogue clean \(first.entry.id)"]
    }

    private static func purgeClass(of entry: CatalogueEntry) -> StyledText {
        if entry.cleaning == .command { return StyledText("by its tool", .faint) }
        return StyledText(entry.purgeClass.spokenName, Style(entry.purgeClass))
    }

    private static func facts(of row: Row) -> [Document.Fact] {
        let entry = row.entry
        var facts = [Document.Fact("What", StyledText(entry.summary))]
        for place in row.places {
            facts.append(
                .init(
                    "Here",
                    StyledText(place.path.homeRelativeText)
                        + StyledText(place.bytes.map { "  \($0)" } ?? "  not to be read", .strong)
                        + StyledText(place.reclaimable.map { ", \($0) reclaimable" } ?? "", .faint))
            )
        }
        if row.places.isEmpty {
            let texts = entry.places.filter { $0.platforms.contains(.current) }.map(\.text)
                .joined(separator: ", ")
            facts.append(
                .init(
                    "Here",
                    StyledText(
                        texts.isEmpty
                            ? "not: it belongs to another system" : "not; it would be in \(texts)",
                        .faint)))
        }
        facts.append(.init("Class", purgeClass(of: entry)))
        facts.append(.init("Costs", StyledText(entry.cost)))
        if !entry.command.isEmpty {
            let command = entry.command.joined(separator: " ")
            let how =
                switch entry.cleaning {
                case .command: "; nothing else empties it"
                case .either: "; purge does it too"
                case .files: "; purge does as well"
                }
            facts.append(
                .init("Cleaned by", StyledText(command, .strong) + StyledText(how, .faint)))
        }
        if !entry.requires.isEmpty { facts.append(.init("Requires", list(entry.requires))) }
        if !entry.shape.isEmpty { facts.append(.init("Shape", list(entry.shape))) }
        if !entry.locks.isEmpty { facts.append(.init("Locks", list(entry.locks))) }
        if !entry.protects.isEmpty { facts.append(.init("Protects", list(entry.protects))) }
        if let origin = entry.origin { facts.append(.init("Read from", StyledText(origin))) }
        facts.append(.init("Source", StyledText(entry.source, .faint)))
        return facts
    }

    private static func list(_ words: [String]) -> StyledText {
        StyledText(words.joined(separator: ", "), .faint)
    }
}

extension JSONWriter {
    /// The members that say what a well-known cache is.
    mutating func members(of entry: CatalogueEntry) {
        member("id", entry.id)
        member("name", entry.name)
        member("what", entry.summary)
        member("class", entry.purgeClass.name)
        member("unit", entry.unit.catalogName)
        member("scope", entry.scope.rawValue)
        member("cleanedBy", entry.cleaning.rawValue)
        array("command") { json in
            for word in entry.command { json.value(word) }
        }
        for (key, words) in [
            ("shape", entry.shape), ("requires", entry.requires), ("locks", entry.locks),
            ("protects", entry.protects),
        ] {
            array(key) { json in for word in words { json.value(word) } }
        }
        member("cost", entry.cost)
        member("importance", Int(entry.importance))
        member("source", entry.source)
        member("origin", entry.origin)
    }
}

extension PurgeUnit {
    /// The value of the key `unit` in a file of the catalog.
    fileprivate var catalogName: String {
        switch self {
        case .file: "file"
        case .entry: "entry"
        case .directory: "directory"
        }
    }
}
