//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite("Patterns for names")
struct NameGlobTests {
    @Test(arguments: ["", "[", "[a", "[!", "a\\", "[]"])
    func whatHasNoEndIsNoPattern(text: String) {
        #expect(NameGlob(text.utf8) == nil)
    }

    /// The C library's own fnmatch(3) says the same, of patterns and names at random.
    @Test func agreesWithTheSystem() throws {
        var random = SystemRandomNumberGenerator()
        let seed = random.next()
        var generator = SplitMix(state: seed)
        var matches = 0
        for _ in 0..<20_000 {
            let pattern = Self.text(of: "ab.-*?[]!^\\", upTo: 8, &generator)
            let name = Self.text(of: "ab.-]!^", upTo: 6, &generator)
            guard !name.isEmpty, let glob = NameGlob(pattern.utf8) else { continue }
            guard Self.isComparable(pattern) else { continue }
            let expected = unsafe fnmatch(pattern, name, FNM_PERIOD) == 0
            if expected { matches += 1 }
            // Not each one: an expectation costs a hundred times what is compared.
            if glob.matches(Array(name.utf8)) != expected {
                Issue.record("pattern \(pattern), name \(name), seed \(seed)")
            }
        }
        #expect(matches > 200)
    }

    @Test("Brackets match each byte, also those that aren't ASCII")
    func bracketsMatchEachByte() throws {
        let range = try #require(NameGlob([0x5B, 0x7E, 0x2D, 0xC3, 0x5D] as [UInt8]))  // [~-Ã]
        let others = try #require(NameGlob([0x5B, 0x21, 0x7E, 0x2D, 0xC3, 0x5D] as [UInt8]))
        for byte in UInt8.min...UInt8.max where byte != 0x2E {
            #expect(range.matches([byte]) == (0x7E...0xC3).contains(byte))
            #expect(others.matches([byte]) != (0x7E...0xC3).contains(byte))
        }
    }

    @Test("Repeats a bracket as often as the catalog says in braces")
    func counts() throws {
        let glob = try #require(NameGlob("a-[0-9a-f]{3}*".utf8, hasCounts: true))
        #expect(glob.matches(Array("a-0bf".utf8)))
        #expect(glob.matches(Array("a-0bf.zip".utf8)))
        #expect(!glob.matches(Array("a-0b".utf8)))
        #expect(!glob.matches(Array("a-0bx".utf8)))
        // Elsewhere, and after anything but a bracket, braces are part of the name.
        #expect(NameGlob("[ab]{2}".utf8)?.matches(Array("a{2}".utf8)) == true)
        #expect(NameGlob("a{2}".utf8, hasCounts: true)?.literal?.text == "a{2}")
        for text in ["[a]{", "[a]{}", "[a]{0}", "[a]{256}", "[a]{+2}", "[a]{x}"] {
            #expect(NameGlob(text.utf8, hasCounts: true) == nil, "\(text)")
        }
    }

    @Test func aPatternWithoutSignsIsAName() {
        #expect(NameGlob("a.b".utf8)?.literal?.text == "a.b")
        #expect(NameGlob("a\\*b".utf8)?.literal?.text == "a*b")
        #expect(NameGlob("a*".utf8)?.literal == nil)
    }

    @Test func rangesHoldForBytes() throws {
        let glob = try #require(NameGlob("[0-9a-f][!0-9]".utf8))
        #expect(glob.matches(Array("0a".utf8)))
        #expect(!glob.matches(Array("g0".utf8)))
        #expect(!glob.matches(Array("00".utf8)))
    }

    /// Not what C leaves open: ranges that end before they begin, "[" in sets, and collating symbols
    /// that have no end. Nor a set after "*?", at which glibc still refuses a dot although it is not
    /// the first byte of the name.
    private static func isComparable(_ pattern: String) -> Bool {
        if pattern.contains("["), pattern.contains("-") { return false }
        return !["[[", "[.", "?[", "?*["].contains { pattern.contains($0) }
    }

    private static func text(
        of letters: String, upTo count: Int, _ generator: inout SplitMix
    ) -> String {
        let letters = Array(letters)
        return String(
            (0..<Int.random(in: 0...count, using: &generator)).map { _ in
                letters[Int.random(in: letters.indices, using: &generator)]
            })
    }
}

/// Random numbers that a seed brings back.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
