//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform

/// Entries of well-known caches, as packagers and users write them: each is whole, none leads upwards, and written
/// again it is the same.
struct CatalogueTarget: FuzzTarget {
    static let name = "catalogue"
    private static let origin = "/etc/headroom/catalogue.d/some.catalogue"

    func run(_ bytes: [UInt8]) {
        let catalogue: Catalogue
        do throws(HeadroomError) {
            catalogue = try Self.read(String(decoding: bytes, as: UTF8.self))
        } catch {
            require(error.code == .invalid, "refused as \(error.code): \(error)")
            require(error.message.contains(Self.origin), "it does not say where: \(error)")
            return
        }
        require(
            Set(catalogue.entries.map(\.id)).count == catalogue.entries.count,
            "two entries have one id")
        for entry in catalogue.entries { check(entry) }
        // By its caches an audit knows what may be left out of backups.
        _ = catalogue.ruleBook
        do throws(HeadroomError) {
            let text = catalogue.entries.map(Self.text).joined()
            let copy = try Self.read(text)
            require(copy == catalogue, "it is another as it is written")
        } catch {
            require(false, "it is not read as it is written: \(error)")
        }
    }

    private func check(_ entry: CatalogueEntry) {
        let words = [entry.id, entry.name, entry.summary, entry.cost, entry.source]
        require(words.allSatisfy { !$0.isEmpty }, "[\(entry.id)] says nothing of something")
        require(!entry.places.isEmpty, "[\(entry.id)] is nowhere")
        require(entry.importance <= 100, "[\(entry.id)] is too important")
        require(
            entry.cleaning == .files || !entry.command.isEmpty,
            "[\(entry.id)] has no command that cleans it")
        require(
            entry.purgeClass == .essential || !entry.shape.isEmpty
                || entry.places.allSatisfy { $0.variable == nil },
            "[\(entry.id)] has a variable of its tool's and no shape")
        for text in entry.shape + entry.requires + entry.protects {
            require(
                CataloguePattern(text) != nil, "[\(entry.id)] has a pattern that is none: \(text)")
        }
        for place in entry.places {
            require(!place.platforms.isEmpty, "\(place.text) is on no system")
            // All that it may stand for lies below what it begins at.
            for name in place.names {
                guard let bytes = name.literal?.bytes else { continue }
                require(
                    bytes != Array(".".utf8) && bytes != Array("..".utf8),
                    "\(place.text) leads upwards")
            }
        }
    }

    private static func read(_ text: String) throws(HeadroomError) -> Catalogue {
        try Catalogue(parsing: text, origin: origin)
    }

    private static func text(_ entry: CatalogueEntry) -> String {
        var values: [(key: String, value: String)] = [
            ("name", entry.name), ("what", entry.summary), ("cost", entry.cost),
            ("source", entry.source), ("class", entry.purgeClass.name),
            ("unit", unit(entry.unit)), ("scope", entry.scope.rawValue),
            ("by", entry.cleaning.rawValue), ("importance", "\(entry.importance)"),
        ]
        if !entry.command.isEmpty {
            values.append(("clean", entry.command.joined(separator: " ")))
        }
        for (key, words) in [
            ("shape", entry.shape), ("requires", entry.requires), ("lock", entry.locks),
            ("protect", entry.protects),
        ] where !words.isEmpty {
            values.append((key, words.joined(separator: " ")))
        }
        for place in entry.places {
            let platform = place.platforms.count == 1 ? place.platforms.first : nil
            values.append((platform.map { "path.\($0.rawValue)" } ?? "path", place.text))
        }
        // A tab, to which no accent that follows can belong.
        return values.reduce("[\(entry.id)]\n") { $0 + "\($1.key) =\t\($1.value)\n" }
    }

    private static func unit(_ unit: PurgeUnit) -> String {
        switch unit {
        case .file: "file"
        case .entry: "entry"
        case .directory: "directory"
        }
    }
}
