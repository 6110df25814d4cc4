//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import Testing

struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("👩‍👩‍👧", 2), ("❤️", 2), ("…█", 2),
        ("ＡＢ", 4), ("한국", 4), ("a\u{200B}b", 2),
    ])
    func countsColumns(text: String, columns: Int) {
        #expect(text.displayWidth == columns)
    }

    @Test func escapesWhatMovesTheCursorOrTurnsTheText() {
        #expect("a\u{1B}[31m\n\u{9B}b".escapingControls == "a\\x1B[31m\\x0A\\x9Bb")
        #expect("x\u{202E}gpj.exe".escapingControls == "x\\u{202E}gpj.exe")
        #expect("naïve 日本".escapingControls == "naïve 日本")
    }

    @Test func cutsTheMiddleToTheWidth() {
        let path = "/home/someone/.cache/pip/http-v2/a/3/9/file"
        for width in 3...50 {
            let cut = path.truncatedMiddle(to: width)
            #expect(cut.displayWidth <= width)
            #expect(width < 43 ? cut.contains("…") : cut == path)
        }
        #expect(path.truncatedMiddle(to: 21) == "/home/so…-v2/a/3/9/file".truncatedMiddle(to: 21))
    }

    @Test func neverCutsACharacterInHalf() {
        for width in 1...12 {
            #expect("日本語の名前".truncatedMiddle(to: width).displayWidth <= width)
            #expect("日本語の名前".truncatedTail(to: width).displayWidth <= width)
        }
    }

    @Test func cutsStyledTextAcrossRuns() {
        let text = StyledText("abc", .strong) + StyledText("defgh")
        #expect(text.truncatedTail(to: 8).string == "abcdefgh")
        #expect(text.truncatedTail(to: 5).string == "abcd…")
        #expect(text.truncatedTail(to: 3).string == "ab…")
    }

    @Test func groupsDigits() {
        #expect(0.grouped == "0")
        #expect(999.grouped == "999")
        #expect(1_000.grouped == "1,000")
        #expect((-1_234_567).grouped == "-1,234,567")
        #expect(Int.min.grouped == "-9,223,372,036,854,775,808")
    }
}
