//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomConfiguration
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// Files with something wrong in them, each with what has to be said about it in its first lines:
/// `# expect LINE | KEY | WHAT | ADVICE`, the last two in part.
struct BrokenFileTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Broken")

    static let names: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (names ?? []).filter { $0.hasSuffix(".yaml") }.sorted()
    }()

    struct Expectation {
        var line: Int
        var key: String
        var what: String
        var advice: String
    }

    @Test func areMany() {
        #expect(Self.names.count >= 80)
    }

    @Test(.tags(.r29d, .r29g), arguments: names)
    func eachIsToldByFileLineKeyAndWhatToDo(_ name: String) throws {
        let text = try String(
            contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        let expected = try Self.expectations(text)
        #expect(!expected.isEmpty)
        let directory = try ConfigurationDirectory()
        try directory.write("headroom.yaml", text)
        let errors = directory.problems().filter { $0.severity == .error }
        #expect(errors.count == expected.count, "\(errors)")
        for (error, expectation) in zip(errors, expected) {
            #expect(error.file == directory.path.appending("headroom.yaml"))
            #expect(error.line == expectation.line, "\(error)")
            #expect((error.key ?? "") == expectation.key, "\(error)")
            #expect(error.what.contains(expectation.what), "\(error)")
            #expect(error.advice.contains(expectation.advice), "\(error)")
            #expect(
                error.advice.hasSuffix(".") || error.advice.contains(": ")
                    || error.advice.hasSuffix("?"))
        }
    }

    /// Nothing of a bad directory counts, whatever is right in it.
    @Test(.tags(.r29d), arguments: names)
    func noneIsTaken(_ name: String) throws {
        let directory = try ConfigurationDirectory()
        try directory.write("headroom.yaml", "mode: act\n")
        let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        try directory.write("conf.d/broken.yaml", text)
        #expect(throws: ConfigurationErrors.self) { try directory.load() }
    }

    private static func expectations(_ text: String) throws -> [Expectation] {
        try text.split(separator: "\n").filter { $0.hasPrefix("# expect ") }.map { line in
            let parts = line.dropFirst("# expect ".count)
                .split(separator: " | ", omittingEmptySubsequences: false)
            try #require(parts.count == 4, "\(line)")
            let number = try #require(Int(parts[0]))
            return Expectation(
                line: number, key: String(parts[1]), what: String(parts[2]),
                advice: String(parts[3]))
        }
    }
}
