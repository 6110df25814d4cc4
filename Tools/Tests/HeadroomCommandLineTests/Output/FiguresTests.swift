//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import Testing

/// The page of the dashboard is held to the same table, in a browser.
struct FiguresTests {
    private struct Row: Decodable {
        var numbers: [Double?] = []
        var text = ""

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            while values.currentIndex < (values.count ?? 0) - 1 {
                numbers.append(try values.decodeNil() ? nil : values.decode(Double.self))
            }
            text = try values.decode(String.self)
        }
    }

    private struct FigureTable: Decodable {
        var bytes: [Row]
        var grouped: [Row]
        var percent: [Row]
        var age: [Row]
        var ageInWords: [Row]
        var span: [Row]
        var spanRange: [Row]
    }

    private func table() throws -> FigureTable {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: tests.appending(path: "DashboardTests/figures.json"))
        return try JSONDecoder().decode(FigureTable.self, from: data)
    }

    private func expect(
        _ rows: [Row], _ text: (Double) -> String, location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(rows.count > 4, sourceLocation: location)
        for row in rows {
            let number = try #require(row.numbers.first ?? nil)
            #expect(text(number) == row.text, sourceLocation: location)
        }
    }

    @Test func readsAmountsAsThePageDoes() throws {
        try expect(table().bytes) { "\(ByteCount(Int64($0)))" }
        try expect(table().grouped) { Int64($0).grouped }
        try expect(table().percent) { $0.percentText }
    }

    @Test func readsAgesAsThePageDoes() throws {
        try expect(table().age) { Duration.milliseconds(Int64($0 * 1_000)).ageDescription }
        try expect(table().ageInWords) { Duration.seconds(Int64($0)).inWords }
    }

    @Test func readsSpansAsThePageDoes() throws {
        try expect(table().span) { OutlookText.inUnits(.seconds(Int64($0))) }
        let rows = try table().spanRange
        #expect(rows.count > 4)
        for row in rows {
            let spans = row.numbers.map { $0.map { Duration.seconds(Int64($0)) } }
            let expected = Forecast.Expectation(
                earliest: try #require(spans[1]), likely: try #require(spans[0]), latest: spans[2])
            #expect(OutlookText.range(expected) == row.text)
        }
    }
}
