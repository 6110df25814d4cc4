//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomRequests
import Testing

struct JSONValueTests {
    private func value(_ text: String) throws -> JSONValue { try JSONValue(Array(text.utf8)) }

    @Test func readsWhatIsJSON() throws {
        let text =
            #" {"a": [1, -2, 0, 1.5, 1e2, true, false, null, "x\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é"], "b": {}, "": []} "#
        #expect(
            try value(text)
                == .object([
                    "a": .list([
                        .integer(1), .integer(-2), .integer(0), .number(1.5), .integer(100),
                        .flag(true), .flag(false), .null,
                        .text("x\"\\/\u{8}\u{C}\n\r\t\u{E9}\u{1F600}\u{E9}"),
                    ]), "b": .object([:]), "": .list([]),
                ]))
        #expect(try value("9223372036854775807") == .integer(.max))
        #expect(try value("-9223372036854775808") == .integer(.min))
        #expect(try value("9223372036854775808") == .number(9_223_372_036_854_775_808))
        #expect(try value("1.0") == .integer(1))
    }

    @Test(arguments: [
        "", " ", "{", "}", "[", "[1", "[1,", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
        "{a:1}", "{1:1}", "'a'", "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x1", "NaN", "Infinity",
        "1e999", "tru", "nul", "TRUE", "\"", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"",
        "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\n\"", "1 2", "{} {}", "\u{FEFF}1",
        "[1]x", "//\n1",
    ])
    func refusesWhatIsNot(_ text: String) {
        #expect(throws: APIError.self) { try value(text) }
    }

    @Test func refusesTextThatIsNotUTF8() {
        #expect(throws: APIError.self) { try JSONValue([0x22, 0xFF, 0x22]) }
        #expect(throws: APIError.self) { try JSONValue([0x22, 0xC3]) }
    }

    /// Of two members with a name nobody knows which was meant, and the one that deletes is not guessed.
    @Test func refusesAMemberThatIsThereTwice() {
        #expect(throws: APIError.self) { try value(#"{"plan":"a","plan":"b"}"#) }
        #expect(throws: APIError.self) { try value(#"[{"a":{"b":1,"\u0062":1}}]"#) }
    }

    @Test func refusesWhatIsNestedTooDeeply() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try value(nested(16)) }
        #expect(throws: APIError.self) { try value(nested(17)) }
        #expect(throws: APIError.self) { try value(String(repeating: "[", count: 1 << 20)) }
        #expect(throws: APIError.self) {
            try value(String(repeating: #"{"a":"#, count: 100_000))
        }
    }
}
