//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomCommands
import HeadroomEngine
import HeadroomPlatform
import SystemPackage
import Testing

@Suite("R31: the screen of clean")
struct CleanModelTests {
    private var model = CleanModel(now: Timestamp(seconds: 1_000_000))

    init() {
        model.receive(
            CleaningUpdate(
                section: .systemCaches,
                items: (0..<40).map { index in
                    item("cache\(index)", .systemCaches, .megabytes(Int64(100 - index)), .purge)
                } + [item("tool", .systemCaches, nil, .command(["tool", "clean"]))],
                isComplete: true))
        model.receive(
            CleaningUpdate(
                section: .userFiles(.video),
                items: [item("film\u{1B}[31m日本.mkv", .userFiles(.video), .megabytes(7), .dispose)],
                isComplete: true))
    }

    private func item(
        _ name: String, _ section: CleaningSection, _ size: ByteCount?, _ action: Cleanable.Action
    ) -> Cleanable {
        Cleanable(
            id: "/home/\(name)", section: section, name: name, path: FilePath("/home/\(name)"),
            note: "/home", allocated: size, fileCount: 1,
            lastUse: Timestamp(seconds: 1_000_000 - Int64(name.utf8.count) * 86_400),
            action: action)
    }

    private var command: CleaningCommand {
        CleaningCommand(program: "/usr/bin/tool", arguments: ["clean"])
    }

    @discardableResult
    private func press(_ keys: CleanKey..., in model: inout CleanModel) -> CleanModel.Effect? {
        var effect: CleanModel.Effect?
        for key in keys { effect = model.handle(key) ?? effect }
        return effect
    }

    @Test func whatIsMarkedHasTheSizeThatIsKnownLast() {
        var model = CleanModel(now: Timestamp(seconds: 1_000_000))
        let early = item("part", .systemCaches, .megabytes(1), .purge)
        model.receive(
            CleaningUpdate(section: .systemCaches, items: [early], isComplete: false))
        press(.right, .space, in: &model)
        #expect(model.chosenBytes == .megabytes(1))
        var late = early
        late.allocated = .megabytes(3)
        model.receive(CleaningUpdate(section: .systemCaches, items: [late], isComplete: true))
        #expect(model.chosenBytes == .megabytes(3))
    }

    @Test func movesAndMarks() {
        var model = model
        press(.right, .down, .space, .space, in: &model)
        #expect(Set(model.chosen.keys) == ["/home/cache1", "/home/cache2"])
        #expect(model.cursor == 3)
        press(.up, .space, in: &model)
        #expect(Set(model.chosen.keys) == ["/home/cache1"])
        press(.letter("n"), in: &model)
        #expect(model.chosen.isEmpty)
        press(.end, in: &model)
        #expect(model.cursor == 40)
        press(.home, .pageDown, in: &model)
        #expect(model.cursor == model.page)
        press(.letter("G"), .letter("g"), .letter("k"), in: &model)
        #expect(model.cursor == 0)
    }

    @Test func whatOnlyItsToolCleansCannotBeMarked() throws {
        var model = model
        let effect = press(.right, .end, .space, in: &model)
        #expect(model.chosen.isEmpty)
        // It is asked about by itself, and shown before it is run.
        let item = try #require(model.cursorItem)
        #expect(effect == .findCommand(item))
        #expect(press(.enter, in: &model) == nil)
        #expect(press(.escape, in: &model) == nil)
        #expect(model.mode == .browsing)
        #expect(press(.enter, in: &model) == .findCommand(item))
        model.mode = .command(item, command)
        #expect(
            CleanScreen(model).lines.contains { $0.text.string.contains("/usr/bin/tool clean") })
        #expect(press(.enter, in: &model) == .run(item))
        #expect(press(.enter, .space, .letter("u"), in: &model) == nil)
        #expect(press(.interrupt, in: &model) == .cancel)
        model.mode = .browsing
        press(.letter("a"), in: &model)
        #expect(model.chosen.count == 40)
        press(.letter("a"), in: &model)
        #expect(model.chosen.isEmpty)
    }

    @Test func nothingIsCleanedThatWasNotShown() {
        var model = model
        #expect(press(.letter("c"), in: &model) == nil)
        #expect(model.message != nil)
        let effect = press(.right, .space, .enter, in: &model)
        #expect(effect == .preview(model.selection))
        // The answer is not there yet: enter does nothing.
        #expect(press(.enter, in: &model) == nil)
        model.mode = .preview(
            CleaningPreview(
                freesNow: .megabytes(100), freesLater: .zero, purgedItems: 1, disposedItems: 0,
                kept: []), isConfirming: true)
        #expect(press(.escape, in: &model) == nil)
        #expect(model.mode == .browsing)
        #expect(model.chosen.count == 1)
    }

    @Test func cleansStopsAndUndoes() {
        var model = model
        press(.right, .space, in: &model)
        model.mode = .preview(
            CleaningPreview(
                freesNow: .megabytes(100), freesLater: .zero, purgedItems: 1, disposedItems: 0,
                kept: []), isConfirming: true)
        let selection = model.selection
        #expect(press(.enter, in: &model) == .clean(selection))
        #expect(model.mode == .cleaning)
        #expect(press(.down, .enter, .space, in: &model) == nil)
        #expect(press(.interrupt, in: &model) == .cancel)
        var result = CleaningResult()
        model.finish(result)
        #expect(model.chosen.isEmpty)
        #expect(press(.letter("u"), in: &model) == nil, "nothing of it can be undone")
        var receipt = Receipt(id: "x", started: model.now, requester: "", target: "")
        receipt.removedCount = 1
        result.disposal = receipt
        model.finish(result)
        #expect(press(.letter("u"), in: &model) == .undo(result))
        // Once, and nothing else meanwhile.
        #expect(model.mode == .undoing)
        #expect(press(.letter("u"), .letter("q"), .enter, .space, in: &model) == nil)
        #expect(model.message != nil)
        receipt.skippedCount = 0
        model.finishUndo(receipt)
        #expect(model.message == "Brought back 1 item.")
        #expect(press(.letter("u"), in: &model) == nil)
        #expect(model.message?.contains("Nothing to undo") == true)
    }

    /// Keys that mean something elsewhere get an answer while it cleans, and the bar stays.
    @Test(arguments: [CleanKey.letter("u"), .enter, .space, .letter("p")])
    func keysAreAnsweredWhileItCleans(_ key: CleanKey) {
        var model = model
        model.mode = .cleaning
        #expect(model.handle(key) == nil)
        let lines = CleanScreen(
            model,
            progress: .init(
                phase: .cleaning, fraction: 0.42, cleaned: .megabytes(1), path: "/home/a")
        ).lines.map(\.text.string)
        #expect(lines.contains { $0.contains("esc stops it") })
        #expect(lines.contains { $0.contains("42 % cleaning") })
    }

    @Test func nothingIsAgreedToThatCannotBeRead() {
        var model = model
        press(.right, .space, in: &model)
        let preview = CleaningPreview(
            freesNow: .megabytes(100), freesLater: .zero, purgedItems: 1, disposedItems: 0,
            kept: [])
        model.mode = .preview(preview, isConfirming: true)
        (model.columns, model.rows) = (29, 24)
        #expect(press(.enter, .letter("y"), in: &model) == nil)
        #expect(model.mode == .preview(preview, isConfirming: true))
        #expect(CleanScreen(model).lines[0].text.string.contains("30 by 8"))
        (model.columns, model.rows) = (30, 8)
        #expect(press(.enter, in: &model) == .clean(model.selection))
    }

    @Test(arguments: [200, 100, 83, 82, 81, 80, 79, 64, 63, 50, 40, 31, 30])
    func theLastLineHasWholeWordsAndTheWayOut(columns: Int) throws {
        var model = model
        model.columns = columns
        for isUndoable in [false, true] {
            if isUndoable {
                var result = CleaningResult()
                var receipt = Receipt(id: "x", started: model.now, requester: "", target: "")
                receipt.removedCount = 1
                result.disposal = receipt
                model.finish(result)
                model.mode = .browsing
            }
            let last = try #require(CleanScreen(model).lines.last).text.string
            #expect(last.hasSuffix("q quit"))
            #expect(last.contains("? help"))
            #expect(last.contains("u undo") == isUndoable)
            #expect(last.displayWidth <= columns)
        }
    }

    @Test func aTerminalOfASCIIIsDrawnOnWithIt() {
        var model = model
        press(.right, in: &model)
        model.columns = 40
        model.receive(
            CleaningUpdate(
                section: .systemCaches,
                items: [item(String(repeating: "long", count: 30), .systemCaches, nil, .purge)],
                isComplete: false))
        for columns in [40, 80] {
            model.columns = columns
            let lines = CleanScreen(model, usesBlocks: false).lines
            #expect(lines.allSatisfy { $0.text.string.utf8.allSatisfy { $0 < 0x80 } })
            #expect(lines.allSatisfy { $0.text.displayWidth <= columns })
        }
    }

    /// No more than every terminal has, as the console does.
    @Test func coloursAreOfTheSixteen() {
        let styles: [Style] = [
            .plain, .strong, .faint, .good, .warning, .critical, .temporary, .cache, .trash,
            .lastResort, .essential, .selected,
        ]
        for code in styles.compactMap(\.graphicRendition).joined(separator: ";").split(
            separator: ";")
        {
            #expect([1, 2, 7].contains(Int(code)) || (30...37).contains(Int(code) ?? 0))
        }
    }

    @Test func sortsAndKeepsTheCursorOnWhatItIsOn() throws {
        var model = model
        press(.letter("s"), .letter("s"), in: &model)
        #expect(model.sort == .name)
        press(.right, .down, .down, in: &model)
        let under = try #require(model.cursorItem?.id)
        let newer = item("aaa", .systemCaches, .megabytes(500), .purge)
        model.receive(
            CleaningUpdate(
                section: .systemCaches, items: model.sections[0].items + [newer],
                isComplete: true))
        #expect(model.cursorItem?.id == under)
    }

    @Test func whatIsGoneIsNotMarkedAnyMore() {
        var model = model
        press(.letter("a"), in: &model)
        model.receive(
            CleaningUpdate(
                section: .systemCaches, items: [model.sections[0].items[0]], isComplete: true))
        #expect(model.chosen.count == 1)
    }

    @Test(arguments: [(80, 24), (200, 60), (64, 20), (63, 20), (40, 10), (30, 8), (20, 5), (1, 1)])
    func everyLineFitsEveryTerminal(columns: Int, rows: Int) {
        var model = model
        model.columns = columns
        model.rows = rows
        let preview = CleaningPreview(
            freesNow: .megabytes(1), freesLater: .zero, purgedItems: 1, disposedItems: 0,
            kept: (0..<50).map {
                Receipt.Skipped(
                    path: FilePath("/home/x\($0)"), reason: Reason(.pinned, "It is pinned."))
            })
        for mode in [
            CleanModel.Mode.browsing, .help, .preview(nil, isConfirming: true),
            .preview(preview, isConfirming: true), .cleaning, .result(CleaningResult()), .undoing,
            .command(model.sections[0].items[0], nil),
            .command(model.sections[0].items[0], command),
            .running(model.sections[0].items[0], command),
        ] {
            for keys in [[], [CleanKey.down, .down, .down, .right]] as [[CleanKey]] {
                model.mode = .browsing
                for key in keys { _ = model.handle(key) }
                model.mode = mode
                let lines = CleanScreen(
                    model,
                    progress: .init(
                        phase: .cleaning, fraction: 0.5, cleaned: .megabytes(1),
                        path: "/home/a/very/long/path/that/does/not/fit")
                ).lines
                #expect(lines.count == rows)
                #expect(lines.allSatisfy { $0.text.displayWidth <= columns })
                #expect(!lines.contains { $0.text.string.contains("\u{1B}") })
            }
        }
    }

    @Test func theCursorIsAlwaysSeen() {
        var model = model
        model.columns = 80
        model.rows = 12
        press(.right, in: &model)
        for _ in 0..<45 {
            press(.down, in: &model)
            let name = model.cursorItem?.name ?? ""
            let lines = CleanScreen(model).lines
            #expect(
                lines.contains {
                    $0.text.runs.contains { $0.style == .selected && $0.text == name }
                })
        }
    }

    @Test(arguments: [
        ("\u{1B}[A", [CleanKey.up]), ("\u{1B}OB", [.down]),
        ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
        ("\u{1B}[1~\u{1B}[F", [.home, .end]), ("jk ", [.letter("j"), .letter("k"), .space]),
        ("\r\u{03}\u{1A}\t", [.enter, .interrupt, .suspend, .tab]), ("é\u{1B}[1;5C", [.right]),
        ("\u{1B}[200~", []),
    ])
    func keysOfTerminals(text: String, keys: [CleanKey]) {
        var reader = CleanKeyReader()
        #expect(reader.read(text.utf8) == keys)
        // The same in pieces.
        var slow = CleanKeyReader()
        #expect(text.utf8.flatMap { slow.read([$0]) } == keys)
        #expect(!slow.isWaiting)
    }

    @Test func anEscapeAloneIsOne() {
        var reader = CleanKeyReader()
        #expect(reader.read([0x1B]).isEmpty)
        #expect(reader.isWaiting)
        #expect(reader.flush() == [.escape])
        #expect(!reader.isWaiting)
    }
}
