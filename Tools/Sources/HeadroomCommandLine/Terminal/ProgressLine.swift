//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import HeadroomEngine
package import HeadroomPlatform
package import SystemPackage

/// What a running scan or purge has done so far.
package struct ProgressState: Sendable {
    package var count: Int
    /// What is counted: `files`, `items`.
    package var noun: String
    package var bytes: ByteCount
    /// The bytes at which it is done, if that is known.
    package var goal: ByteCount?
    package var path: FilePath?

    package init(
        count: Int, noun: String, bytes: ByteCount, goal: ByteCount? = nil, path: FilePath? = nil
    ) {
        self.count = count
        self.noun = noun
        self.bytes = bytes
        self.goal = goal
        self.path = path
    }
}

/// One line on standard error that says how far a job is, ten times a second, and goes at its end.
package struct ProgressLine {
    /// Who interrupts waits for no line to be drawn.
    private static let interval = DispatchTimeInterval.milliseconds(20)

    /// Runs a job on the calling thread and shows its progress meanwhile.
    ///
    /// Watches for an interruption even where no line is shown.
    ///
    /// - Parameters:
    ///   - isShown: nothing is written if false.
    ///   - state: asked from another thread.
    ///   - cancel: called once from another thread when the person wants to stop.
    package static func during<Result, Failure: Error>(
        isShown: Bool, state: @escaping @Sendable () -> ProgressState,
        cancel: @escaping @Sendable () -> Void, _ job: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let terminal = Terminal(.standardError)
        let draws = isShown && terminal.movesCursor
        let queue = DispatchQueue(label: "headroom.progress")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let ticker = Ticker(terminal: terminal, draws: draws, state: state, cancel: cancel)
        timer.schedule(deadline: .now() + interval, repeating: interval)
        timer.setEventHandler { ticker.tick() }
        timer.activate()
        defer {
            timer.cancel()
            // After that no tick is under way, and the line can go.
            queue.sync { ticker.end() }
        }
        return try job()
    }

    /// The line of a state.
    package static func text(
        _ state: ProgressState, perSecond: Double?, width: Int, _ renderer: TextRenderer
    ) -> String {
        var line = StyledText("  ")
        if let goal = state.goal, goal > .zero {
            let share = Double(state.bytes.bytes) / Double(goal.bytes)
            line += renderer.bar(share, width: width >= 100 ? 30 : 20, .good)
            line += StyledText("  \(state.bytes) of \(goal)")
        } else {
            line += StyledText("\(state.bytes)")
        }
        line += StyledText("   \(state.count.grouped) \(state.noun)")
        if let perSecond { line += StyledText("   \(rate(perSecond))", .faint) }
        guard let path = state.path else { return renderer.styled(line.truncatedTail(to: width)) }
        let room = width - line.displayWidth - 3
        guard room >= 12 else { return renderer.styled(line.truncatedTail(to: width)) }
        let shown = StyledText(path.homeRelativeText).truncatedMiddle(to: room)
        return renderer.styled(line + "   " + shown)
    }

    private static func rate(_ perSecond: Double) -> String {
        switch perSecond {
        case ..<1_000: "\(Int(perSecond)) /s"
        case ..<1_000_000: "\(Int(perSecond / 1_000)) k/s"
        default: "\(Int(perSecond / 1_000_000)) M/s"
        }
    }
}

/// The state of a line between two ticks; used on one queue only.
private final class Ticker: @unchecked Sendable {
    // Sendable: `tick` and `end` are called on the serial queue alone.
    private let terminal: Terminal
    private let draws: Bool
    private let state: @Sendable () -> ProgressState
    private let cancel: @Sendable () -> Void
    private let started = ContinuousClock.now
    private var hasCancelled = false
    private var hasDrawn = false
    private var ticks = 0
    /// Drawn once in so many ticks.
    private static let stride = 5

    init(
        terminal: Terminal, draws: Bool, state: @escaping @Sendable () -> ProgressState,
        cancel: @escaping @Sendable () -> Void
    ) {
        self.terminal = terminal
        self.draws = draws
        self.state = state
        self.cancel = cancel
    }

    func tick() {
        if Interruption.isRequested, !hasCancelled {
            hasCancelled = true
            cancel()
        }
        ticks += 1
        guard draws, ticks.isMultiple(of: Self.stride) else { return }
        let now = state()
        let elapsed = started.duration(to: .now)
        let seconds =
            Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        let rate = seconds > 0.5 ? Double(now.count) / seconds : nil
        // The last column stays free: a full line would wrap.
        let width = (Terminal(.standardError).width ?? 80) - 1
        let renderer = TextRenderer(
            width: width, usesColor: terminal.allowsColor, drawsBars: true, showsNext: false,
            usesBlocks: terminal.usesBlocks)
        write("\r" + ProgressLine.text(now, perSecond: rate, width: width, renderer) + "\u{1B}[K")
        hasDrawn = true
    }

    func end() {
        if hasDrawn { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        // Progress that cannot be shown is no reason to fail.
        _ = try? FileDescriptor.standardError.writeAll(text.utf8)
    }
}
