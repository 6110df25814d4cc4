//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomConfiguration
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// Files as nobody would write them: whatever is in them, they are taken or told about, and soon.
struct ConfigurationMutationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL

    /// The examples, with bytes put in, taken out, replaced and moved at random.
    @Test(.timeLimit(.minutes(10)), arguments: 0..<40)
    func survivesWhatIsNoConfiguration(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let name = seed % 2 == 0 ? "headroom.yaml" : "conf.d/example.yaml"
        let example = try Data(
            contentsOf: Self.root.appending(path: "Packaging/configuration/\(name)"))
        let directory = try ConfigurationDirectory()
        let alphabet = Array(#"[]{}&*!|>%@`"'#:-?,~ \#n\#t0aé"#.utf8)
        for _ in 0..<25 {
            var bytes = Array(example)
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes.remove(at: place)
                case 1: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 2:
                    let count = Int.random(in: 1...90, using: &generator)
                    let byte = alphabet.randomElement(using: &generator) ?? 0
                    bytes.insert(contentsOf: repeatElement(byte, count: count), at: place)
                default:
                    bytes.insert(alphabet.randomElement(using: &generator) ?? 0, at: place)
                }
                if bytes.isEmpty { bytes = [0x0A] }
            }
            try directory.write(name, "")
            try directory.tree.file(TreePath("headroom/" + name), contents: bytes)
            for problem in directory.problems() {
                #expect(problem.file.string.hasSuffix(name))
                #expect(!problem.what.isEmpty && !problem.advice.isEmpty)
            }
        }
    }

    @Test(
        .timeLimit(.minutes(10)),
        arguments: [
            String(repeating: "[", count: 200_000), String(repeating: "{a: ", count: 50_000),
            String(repeating: "- ", count: 100_000), String(repeating: "? ", count: 100_000),
            (0..<400).map { String(repeating: " ", count: $0) + "a:\n" }.joined(),
            String(repeating: "a: &a [*a]\n", count: 9_000), String(repeating: "\"", count: 99_999),
            "a: \"" + String(repeating: "\\x", count: 50_000), "%YAML 9.9\n---\na: 1\n",
            "!<!>", "? ? ? ?", "a: |\n" + String(repeating: " x\n", count: 50_000),
            "\u{FEFF}mode: act",
        ])
    func survivesWhatIsMadeToHurt(_ text: String) throws {
        let directory = try ConfigurationDirectory()
        try directory.write("headroom.yaml", text)
        for problem in directory.problems() { #expect(!problem.advice.isEmpty) }
    }

    /// As many as fit a file: not the square of that.
    @Test(.timeLimit(.minutes(10)))
    func readsThousandsOfAreas() throws {
        let directory = try ConfigurationDirectory()
        let areas = (0..<3_000).map { "- {path: /srv/cache/\($0), class: cache, limit: 5 GB}\n" }
        try directory.write("headroom.yaml", "areas:\n" + areas.joined())
        try directory.write("conf.d/a.yaml", "areas:\n" + areas.reversed().joined())
        let loaded = try directory.load()
        #expect(loaded.configuration.areas.count == 3_000)
        #expect(loaded.location(of: "areas[\"/srv/cache/7\"].limit")?.line == 9)
    }
}
