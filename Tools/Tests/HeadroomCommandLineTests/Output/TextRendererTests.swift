//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomPlatform
import HeadroomPromises
import Testing

struct TextRendererTests {
    private let terminal = TextRenderer(
        width: 40, usesColor: false, drawsBars: true, showsNext: true)

    private func sample() -> Document {
        var table = Table([.figure("bytes"), .fixed(), .path("path")])
        table.add(
            .size(ByteCount(1_234_567)), .bar(0.5, width: 4, .cache),
            .text("/var/cache/a/very/long/path/to/something"))
        table.add(.size(ByteCount(12)), .bar(0, width: 4, .cache), .text("b"))
        table.note("a note that runs on and on and on and on", column: 2)
        var document = Document()
        document.add(table)
        document.next = ["headroom plan --free 5GB", "headroom explain PATH"]
        return document
    }

    @Test func drawsATableForATerminal() {
        #expect(
            terminal.render(sample())
                == """
                  bytes        path
                1.23 MB  ██░░  /var/cach…o/something
                  12  B  ░░░░  b
                               a note that runs on and …

                Next: headroom plan --free 5GB

                """.replacing("/var/cach…o/something", with: expectedPath))
    }

    /// 40 columns less 7, 4 and two gaps.
    private var expectedPath: String {
        "/var/cache/a/very/long/path/to/something".truncatedMiddle(to: 25)
    }

    @Test(.tags(.r37f)) func inAPipeNothingIsCutOrDrawn() {
        #expect(
            TextRenderer.plain.render(sample()) == """
                  bytes  path
                1.23 MB  /var/cache/a/very/long/path/to/something
                  12  B  b
                         a note that runs on and on and on and on

                """)
    }

    @Test func noLineIsWiderThanTheTerminal() {
        var document = sample()
        document.add("A paragraph with quite a few words, more than fit on one line of it.")
        document.add(facts: [.init("name", "a value of several words that has to be wrapped")])
        let wide = TextRenderer(width: 40, usesColor: false, drawsBars: true, showsNext: true)
        for line in wide.render(document).split(separator: "\n") {
            #expect(String(line).displayWidth <= 40, "\(line)")
        }
    }

    @Test func noLineEndsWithASpace() {
        var document = Document()
        document.add(
            StyledText("Forty columns are exactly this much text and then a little more", .warning))
        var coloured = terminal
        coloured.usesColor = true
        #expect(!coloured.render(document).contains(" \u{1B}[0m\n"))
        for line in terminal.render(document).split(separator: "\n") {
            #expect(line.last != " ")
        }
    }

    @Test func aSentenceGoesOnBelow() {
        var table = Table([.fixed(), .sentence()], indent: 2)
        table.add(.text("ok"), .text("a finding of more words than fit on one line"))
        table.add(.text("bad"), .text("short"))
        var document = Document()
        document.add(table)
        #expect(
            terminal.render(document) == """
                  ok   a finding of more words than fit
                       on one line
                  bad  short

                """)
        #expect(TextRenderer.plain.render(document).split(separator: "\n").count == 2)
    }

    @Test(
        arguments: [
            ("~/a", "~/a"), ("~/My Files/it's", "~/'My Files/it'\\''s'"), ("/a b", "'/a b'"),
        ])
    func aSuggestedPathCanBePasted(path: String, word: String) {
        #expect(ShellWord(path).description == word)
    }

    @Test func colourIsOnlyAddedWhereItIsWanted() {
        var document = Document()
        document.add(StyledText("bad", .critical) + " ok")
        #expect(terminal.render(document) == "bad ok\n")
        var coloured = terminal
        coloured.usesColor = true
        #expect(coloured.render(document) == "\u{1B}[1;31mbad\u{1B}[0m ok\n")
    }

    @Test func aNameCannotMoveTheCursor() {
        var document = Document()
        var table = Table([.path()])
        table.add(.text("evil\u{1B}[2J\nname"))
        document.add(table)
        #expect(TextRenderer.plain.render(document) == "evil\\x1B[2J\\x0Aname\n")
    }

    @Test func aBarNeverShowsSomethingAsNothing() {
        #expect(terminal.bar(0, width: 4, .good).string == "░░░░")
        #expect(terminal.bar(0.001, width: 4, .good).string == "█░░░")
        #expect(terminal.bar(0.999, width: 4, .good).string == "███░")
        #expect(terminal.bar(1, width: 4, .good).string == "████")
        #expect(terminal.bar(.nan, width: 4, .good).string == "░░░░")
    }
}
