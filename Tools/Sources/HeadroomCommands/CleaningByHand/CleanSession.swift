//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

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
    /// The search that is under way, or was the last one.
    private var search = ScanProgress()
    private let endsCommand = Flag()
    private var failure: HeadroomError?
    /// Of the last that was cleaned, or that a tool did, and was not undone.
    private(set) var status = ExitStatus.done

    /// What other threads have to tell.
    private enum News: Sendable {
        case update(CleaningUpdate, ScanProgress)
        case preview(Result<CleaningPreview, HeadroomError>)
        case cleaned(Result<CleaningResult, HeadroomError>)
        case undone(Result<Receipt, HeadroomError>)
        case command(Result<CleaningCommand, HeadroomError>)
        case ran(Result<CatalogueCleaning, HeadroomError>)
        case failed(HeadroomError)
    }

    /// Raised by the one thread, looked at by another.
    private final class Flag: Sendable {
        private let state = Atomic<Bool>(false)
        var isRaised: Bool {
            get { state.load(ordering: .relaxed) }
            set { state.store(newValue, ordering: .relaxed) }
        }
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
            if isDirty || model.isBusy || model.filesSeen != search.files { draw() }
            isDirty = false
            if let failure { throw failure }
            // News come without a key; while something is under way they are soon.
            let patience: Int32 = model.isBusy ? 20 : 50
            guard !screen.isEnded, let bytes = screen.read(waiting: patience) else { break }
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

    /// Waits for what is under way: it stops after the item that it is at.
    private func finish(_ last: CleaningResult?) -> CleaningResult? {
        search.cancel()
        progress?.cancel()
        endsCommand.isRaised = true
        var last = last
        while model.isBusy {
            for item in mailbox.take() { receive(item, &last) }
            // The terminal may be gone, and then there is nothing to wait at.
            usleep(10_000)
        }
        search.cancel()
        return last
    }

    // MARK: - Effects

    /// Looks for what there is. What an earlier search still has to say is not heard any more.
    ///
    /// - Parameter isFirst: sections come empty, and what fails ends all; else what is known stays until
    ///   a section is complete again.
    private func startSearch(isFirst: Bool = true) {
        search.cancel()
        let search = ScanProgress()
        self.search = search
        let (cleaner, mailbox) = (cleaner, mailbox)
        DispatchQueue.global(qos: .userInitiated).async {
            do throws(HeadroomError) {
                try cleaner.survey(progress: search) { update in
                    guard !search.isCancelled, isFirst || update.isComplete else { return }
                    mailbox.put(.update(update, search))
                }
            } catch {
                if isFirst { mailbox.put(.failed(error)) }
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
        case .cancel:
            progress?.cancel()
            endsCommand.isRaised = true
        case .findCommand(let item):
            inBackground { cleaner, _ in
                .command(
                    Result { () throws(HeadroomError) in
                        try cleaner.command(of: item, environment: Session.wholeEnvironment)
                    })
            }
        case .run(let item):
            search.cancel()
            let endsCommand = endsCommand
            endsCommand.isRaised = false
            model.runningSince = clock()
            inBackground { cleaner, _ in
                .ran(
                    Result { () throws(HeadroomError) in
                        try cleaner.run(
                            commandOf: item, environment: Session.wholeEnvironment,
                            limit: CleanCommandLimit.standard
                        ) { endsCommand.isRaised }
                    })
            }
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
        case .update(let update, let search):
            if search === self.search, !search.isCancelled { model.receive(update) }
        case .preview(.success(let preview)):
            guard case .preview(_, let isConfirming) = model.mode else { return }
            model.mode = .preview(preview, isConfirming: isConfirming)
        case .preview(.failure(let error)):
            // It may have been left meanwhile.
            if case .preview = model.mode { model.mode = .browsing }
            model.message = error.message
        case .cleaned(.success(let result)):
            progress = nil
            last = result
            status = CleanReport(result: result).status
            model.finish(result)
            startSearch(isFirst: false)
        case .cleaned(.failure(let error)):
            progress = nil
            goBack(saying: error.message)
        case .undone(.success(let receipt)):
            model.finishUndo(receipt)
            // What is as it was before needs no report.
            if receipt.skippedCount == 0 { last?.disposal = nil }
            if last?.disposal == nil, last?.purge == nil { last = nil }
            status = last.map { CleanReport(result: $0).status } ?? .done
            startSearch(isFirst: false)
        case .undone(.failure(let error)): goBack(saying: error.message)
        case .command(let found):
            guard case .command(let item, _) = model.mode else { return }
            switch found {
            case .success(let command): model.mode = .command(item, command)
            case .failure(let error): goBack(saying: error.message)
            }
        case .ran(.success(let outcome)):
            model.message = nil
            model.mode = .ran(outcome)
            status = outcome.isCancelled ? .interrupted : outcome.succeeded ? .done : .partly
            startSearch(isFirst: false)
        case .ran(.failure(let error)): goBack(saying: error.message)
        case .failed(let error): failure = error
        }
    }

    private func goBack(saying message: String) {
        model.mode = .browsing
        model.message = message
        startSearch(isFirst: false)
    }

    private func draw() {
        model.now = clock()
        model.filesSeen = search.files
        let shown = progress.map { progress in
            CleanScreen.Progress(
                phase: progress.phase, fraction: progress.fraction, cleaned: progress.cleaned,
                path: progress.currentPath?.homeRelativeText ?? "")
        }
        let drawing = CleanScreen(model, progress: shown, usesBlocks: terminal.usesBlocks)
        screen.draw(
            drawing.lines, columns: model.columns, usesColor: terminal.allowsColor)
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
