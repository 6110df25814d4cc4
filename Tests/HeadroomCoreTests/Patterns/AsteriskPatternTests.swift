//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import Testing

struct AsteriskPatternTests {
    private func bytes(_ text: String) -> AsteriskPattern<UInt8> {
        AsteriskPattern(text.utf8, asterisk: UInt8(ascii: "*"))
    }

    private func characters(_ text: String) -> AsteriskPattern<Character> {
        AsteriskPattern(text, asterisk: "*")
    }

    @Test(
        arguments: [
            ("", "", true), ("", "a", false), ("a", "a", true), ("a", "ab", false),
            ("*", "", true), ("*", "a", true), ("**", "a", true), ("a*", "a", true),
            ("a*", "ba", false), ("*a", "ba", true), ("*a", "ab", false), ("a*a", "a", false),
            ("a*a", "aa", true), ("ab*ba", "aba", false), ("a*b*c", "a1b2c", true),
            ("a*b*c", "acb", false), ("a*b*b", "ab", false), ("*ab*ab*", "abab", true),
            ("*ab*ab*", "abcab", true), ("*aba*ab", "abab", false), ("a**c", "abc", true),
            ("a?c", "abc", false), ("[a]", "a", false), (".*", ".x", true), ("*x", ".x", true),
        ] as [(String, String, Bool)])
    func anAsteriskStandsForAnyElements(pattern: String, name: String, isMatched: Bool) {
        #expect(bytes(pattern).matches(Array(name.utf8)) == isMatched)
        #expect(characters(pattern).matches(Array(name)) == isMatched)
    }

    /// Against what it means: an asterisk takes none, or one and stays.
    @Test func agreesWithItsDefinition() {
        func matches(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
            guard let first = pattern.first else { return name.isEmpty }
            if first == UInt8(ascii: "*") {
                return matches(pattern.dropFirst(), name)
                    || !name.isEmpty && matches(pattern, name.dropFirst())
            }
            return name.first == first && matches(pattern.dropFirst(), name.dropFirst())
        }
        func texts(of letters: String, upTo length: Int) -> [[UInt8]] {
            var all: [[UInt8]] = [[]]
            var last = all
            for _ in 0..<length {
                last = last.flatMap { text in letters.utf8.map { text + [$0] } }
                all += last
            }
            return all
        }
        let names = texts(of: "ab", upTo: 5)
        for text in texts(of: "ab*", upTo: 4) {
            let pattern = AsteriskPattern(text, asterisk: UInt8(ascii: "*"))
            let wrong = names.filter { pattern.matches($0) != matches(text[...], $0[...]) }
            #expect(wrong.isEmpty, "\(String(decoding: text, as: UTF8.self))")
        }
    }

    @Test func bytesNeedNotBeText() {
        #expect(bytes("a*").matches([0x61, 0xFF]))
        #expect(bytes("*").matches([0xC3]))
    }

    @Test func charactersAreAsPeopleReadThem() {
        #expect(characters("\u{E9}*").matches(Array("e\u{301}a")))
        #expect(!bytes("\u{E9}*").matches(Array("e\u{301}a".utf8)))
    }

    @Test func whatHasNoAsteriskIsItself() {
        #expect(bytes("ab").literal == Array("ab".utf8))
        #expect(bytes("a*").literal == nil)
    }
}
