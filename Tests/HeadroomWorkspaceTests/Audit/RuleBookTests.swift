//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import Testing

@Suite("R12: rules for what can be had again")
struct RuleBookTests {
    @Test func theStandardRulesCanBeRead() throws {
        let book = try RuleBook(parsing: RuleBook.text)
        #expect(book.adding(Catalogue.standard.ruleBook) == RuleBook.standard)
        #expect(RuleBook.standard.rules.count > 100)
        let topics = Set(RuleBook.standard.rules.map(\.topic))
        // What R12 names.
        #expect(topics.isSuperset(of: ["thumbnails", "api", "tiles", "index", "media"]))
    }

    @Test func columnsArePartedByTabsOrTwoSpaces() throws {
        let book = try RuleBook(
            parsing: "# comment\n\ntiles\tdata\tMap Tiles/\tTiles of a map   later columns\n")
        let rule = try #require(book.rules.first)
        #expect(book.rules.count == 1)
        #expect(rule.topic == "tiles")
        #expect(rule.scope == .data)
        #expect(rule.pattern == "Map Tiles/")
        #expect(rule.isDirectory)
        #expect(rule.description == "Tiles of a map")
    }

    @Test(
        arguments: [
            "tiles data MapTiles/", "tiles  where  MapTiles/  Tiles", "tiles  data  /etc/  System",
            "tiles  data  ../x/  Tiles", "tiles  data  */  Everything", "tiles  data  a//b/  Tiles",
        ])
    func whatCannotBeReadIsNamedWithItsLine(text: String) {
        let error = #expect(throws: HeadroomError.self) {
            try RuleBook(parsing: "# rules\n\(text)\n")
        }
        #expect(error?.message.hasPrefix("Line 2 of the rules cannot be read") == true)
        #expect(error?.code == .invalid)
    }
}
