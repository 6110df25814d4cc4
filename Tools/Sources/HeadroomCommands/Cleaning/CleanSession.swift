//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import HeadroomEngine
import HeadroomPlatform
import Synchronization
import SystemPackage

/// Runs the screen of `headroom clean`: keys to the model, its wishes to the cleaner, and what comes of
/// them back to the model. The cleaner works on other threads; this one draws.
final class CleanSession {
    private let cleaner: Cleaner
    private let screen: FullScreen
    private let terminal = Terminal(.standardOutput)
    private let clock: @Sendable () -> Timestamp
    private let mailbox = Mailbox()
    private var model: CleanModel
    private var progress: CleaningProgress?
    private let search = ScanProgress()
    private var failure: HeadroomError?

    /// What other threads have to tell.
    private enum News: Sendable {
        case update(CleaningUpdate)
        case preview(Result<CleaningPreview, HeadroomError>)
        case cleaned(Result<CleaningResult, HeadroomError>)
        case undone(Result<Receipt, HeadroomError>)
        case failed(HeadroomError)
    }

    private final class Mailbox: Sendable {
        private let news = Mutex<[News]>([])
        func put(_ item: News) { news.withLock { $0.append(item) } }
        func take() -> [News] {
            news.withLock { news in
                defer { news = [] }
                return news
            }
        }
    }

    init(_ cleaner: Cleaner, screen: FullScreen, clock: @escaping @Sendable () -> Timestamp) {
        self.cleaner = cleaner
        self.screen = screen
        self.clock = clock
        model = CleanModel(now: clock())
    }

    /// Returns when the person quits.
    ///
    /// - Throws: what made the search fail, after the terminal was given back.
    func run() throws -> CleaningResult? {
        screen.enter()
        defer { screen.leave() }
        startSearch()
        var keys = CleanKeyReader()
        var isDirty = true
        var last: CleaningResult?
        while true {
            if screen.takeChanges() { isDirty = true }
            let size = screen.size
            if (model.columns, model.rows) != (size.columns, size.rows) {
                (model.columns, model.rows) = size
                isDirty = true
            }
            for item in mailbox.take() {
                receive(item, &last)
                isDirty = true
            }
            if isDirty || progress != nil { draw() }
            isDirty = false
            if let failure { throw failure }
            guard !screen.isEnded, let bytes = screen.read(waiting: 50) else { break }
            var pressed = keys.read(bytes)
            if bytes.isEmpty, keys.isWaiting { pressed += keys.flush() }
            for key in pressed {
                isDirty = true
                guard let effect = model.handle(key) else { continue }
                if effect == .quit { return finish(last) }
                perform(effect)
            }
        }
        return finish(last)
    }

    /// Waits for a cleaning that is under way: it stops after the item that it is at.
    private func finish(_ last: CleaningResult?) -> CleaningResult? {
        search.cancel()
        guard let progress else { return last }
        progress.cancel()
        while true {
            for case .cleaned(let result) in mailbox.take() { return (try? result.get()) ?? last }
            _ = screen.read(waiting: 20)
        }
    }

    // MARK: - Effects

    private func startSearch() {
        let (cleaner, search, mailbox) = (cleaner, search, mailbox)
        DispatchQueue.global(qos: .userInitiated).async {
            do throws(HeadroomError) {
                try cleaner.survey(progress: search) { mailbox.put(.update($0)) }
            } catch {
                mailbox.put(.failed(error))
            }
        }
    }

    private func perform(_ effect: CleanModel.Effect) {
        switch effect {
        case .preview(let selection):
            inBackground { cleaner, _ in
                .preview(
                    Result { () throws(HeadroomError) in try cleaner.preview(selection) })
            }
        case .clean(let selection):
            // Two at once would get into each other's way.
            search.cancel()
            let progress = CleaningProgress()
            self.progress = progress
            inBackground { cleaner, requester in
                .cleaned(
                    Result { () throws(HeadroomError) in
                        try cleaner.clean(selection, requester: requester, progress: progress)
                    })
            }
        case .cancel: progress?.cancel()
        case .undo(let result):
            inBackground { cleaner, requester in
                .undone(
                    Result { () throws(HeadroomError) in
                        try cleaner.undo(result, requester: requester)
                    })
            }
        case .suspend: screen.suspend()
        case .redraw, .quit: break
        }
    }

    private func inBackground(
        _ work: @escaping @Sendable (Cleaner, String) -> News
    ) {
        let (cleaner, mailbox, requester) = (cleaner, mailbox, Session.requester)
        DispatchQueue.global(qos: .userInitiated).async {
            mailbox.put(work(cleaner, requester))
        }
    }

    private func receive(_ news: News, _ last: inout CleaningResult?) {
        switch news {
        case .update(let update): model.receive(update)
        case .preview(.success(let preview)):
            guard case .preview(_, let isConfirming) = model.mode else { return }
            model.mode = .preview(preview, isConfirming: isConfirming)
        case .preview(.failure(let error)), .undone(.failure(let error)):
            model.mode = .browsing
            model.message = error.message
        case .cleaned(.success(let result)):
            progress = nil
            last = result
            model.finish(result)
            startSearchAgain()
        case .cleaned(.failure(let error)):
            progress = nil
            model.mode = .browsing
            model.message = error.message
        case .undone(.success(let receipt)):
            model.mode = .browsing
            model.undoable = receipt.skippedCount > 0 ? model.undoable : nil
            model.message =
                "Brought back \(receipt.removedCount.counted("item"))"
                + (receipt.skippedCount > 0
                    ? ", \(receipt.skippedCount) not: \(receipt.skipped[0].reason.text)" : ".")
            startSearchAgain()
        case .failed(let error): failure = error
        }
    }

    /// After something has changed, what is shown is looked for again.
    private func startSearchAgain() {
        let (cleaner, mailbox) = (cleaner, mailbox)
        DispatchQueue.global(qos: .userInitiated).async {
            // What cannot be looked at again stays as it is shown.
            try? cleaner.survey { update in
                // Sections that are known are not emptied in between.
                if update.isComplete { mailbox.put(.update(update)) }
            }
        }
    }

    private func draw() {
        model.now = clock()
        let shown = progress.map { progress in
            CleanScreen.Progress(
                phase: progress.phase, fraction: progress.fraction, cleaned: progress.cleaned,
                path: progress.currentPath?.homeRelativeText ?? "")
        }
        let drawing = CleanScreen(model, progress: shown, usesBlocks: terminal.usesBlocks)
        screen.draw(drawing.lines, usesColor: terminal.allowsColor)
    }
}

extension Result {
    /// The outcome of a body with a typed error.
    fileprivate init(_ body: () throws(Failure) -> Success) {
        do throws(Failure) {
            self = .success(try body())
        } catch {
            self = .failure(error)
        }
    }
}
