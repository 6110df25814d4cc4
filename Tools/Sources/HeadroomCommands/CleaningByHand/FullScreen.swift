//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The terminal while a screen has it: keys come one by one, the other screen is shown, and all is as it
/// was when this ends, is suspended, or a signal comes.
final class FullScreen {
    private let input = FileDescriptor.standardInput
    private let output = FileDescriptor.standardOutput
    private let original: termios
    private var isEntered = false

    /// Set by signals, taken by whoever draws.
    private static let wasResized = Atomic<Bool>(false)
    private static let wasContinued = Atomic<Bool>(false)
    private static let wasEnded = Atomic<Bool>(false)

    /// Whether there is a terminal on both ends that can move its cursor.
    static var isPossible: Bool {
        isatty(FileDescriptor.standardInput.rawValue) == 1
            && Terminal(.standardOutput).movesCursor
    }

    /// Whether there is a terminal on both ends that cannot.
    static var isWithoutCursor: Bool {
        isatty(FileDescriptor.standardInput.rawValue) == 1
            && Terminal(.standardOutput).isTerminal && !isPossible
    }

    /// - Returns: nil if the terminal does not say how it is set.
    init?() {
        var settings = termios()
        guard unsafe tcgetattr(input.rawValue, &settings) == 0 else { return nil }
        original = settings
    }

    deinit { leave() }

    // MARK: - Entering and leaving

    func enter() {
        Self.catchSignals()
        var settings = original
        unsafe cfmakeraw(&settings)
        // Only output keeps its newlines; signals of keys come as keys.
        settings.c_oflag = original.c_oflag
        _ = unsafe tcsetattr(input.rawValue, TCSAFLUSH, &settings)
        // The other screen, no cursor, no wrapping of long lines.
        send("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J")
        isEntered = true
    }

    func leave() {
        guard isEntered else { return }
        isEntered = false
        // A console that has no other screen is left empty, not with what was drawn below the prompt.
        send("\u{1B}[0m\u{1B}[H\u{1B}[2J\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        var settings = original
        _ = unsafe tcsetattr(input.rawValue, TCSAFLUSH, &settings)
    }

    /// Stops the process as Ctrl-Z does, with the terminal given back; returns when it goes on.
    func suspend() {
        leave()
        _ = kill(getpid(), SIGTSTP)
        enter()
    }

    private static func catchSignals() {
        // Makes sure that the globals are initialised before a handler touches them.
        _ = wasResized.load(ordering: .relaxed)
        _ = wasContinued.load(ordering: .relaxed)
        _ = wasEnded.load(ordering: .relaxed)
        // An atomic store is all that the handlers do, which is safe in them.
        set(SIGWINCH) { _ in FullScreen.wasResized.store(true, ordering: .relaxed) }
        set(SIGCONT) { _ in FullScreen.wasContinued.store(true, ordering: .relaxed) }
        for number in [SIGTERM, SIGHUP, SIGINT] {
            set(number) { _ in FullScreen.wasEnded.store(true, ordering: .relaxed) }
        }
    }

    private static func set(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        #if canImport(Glibc)
        unsafe action.__sigaction_handler.sa_handler = handler
        #else
        unsafe action.__sigaction_u.__sa_handler = handler
        #endif
        _ = unsafe sigaction(number, &action, nil)
    }

    /// Somebody wants the program to end.
    var isEnded: Bool { Self.wasEnded.load(ordering: .relaxed) }

    /// Whether the size may have changed, or another program has had the terminal; asked once each.
    func takeChanges() -> Bool {
        let continued = Self.wasContinued.exchange(false, ordering: .relaxed)
        if continued, isEntered {
            isEntered = false
            enter()
        }
        return Self.wasResized.exchange(false, ordering: .relaxed) || continued
    }

    // MARK: - Size, keys, drawing

    var size: (columns: Int, rows: Int) {
        guard let size = Terminal.size(of: output), size.columns > 0, size.rows > 0 else {
            return (80, 24)
        }
        return size
    }

    /// What was typed; empty if nothing was for so long.
    ///
    /// - Returns: nil if there is no terminal any more.
    func read(waiting milliseconds: Int32) -> [UInt8]? {
        var entry = pollfd(fd: input.rawValue, events: Int16(POLLIN), revents: 0)
        let ready = unsafe poll(&entry, 1, milliseconds)
        guard ready > 0 else { return [] }
        var failed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
            #if canImport(Glibc)
            let result = unsafe Glibc.read(input.rawValue, buffer.baseAddress, buffer.count)
            #else
            let result = unsafe Darwin.read(input.rawValue, buffer.baseAddress, buffer.count)
            #endif
            count = max(0, result)
            failed = result == 0 || result < 0 && errno != EINTR && errno != EAGAIN
        }
        return failed ? nil : bytes
    }

    /// Shows lines from the top, in one write, so that nothing flickers.
    func draw(_ lines: [CleanScreen.Line], columns: Int, usesColor: Bool) {
        var text = "\u{1B}[H"
        for (row, line) in lines.enumerated() {
            if row > 0 { text += "\r\n" }
            for run in line.text.runs { text += Self.styled(run, usesColor) }
            // In the last column the cursor stays on what was written there, which this would erase.
            if line.text.displayWidth < columns { text += "\u{1B}[K" }
        }
        send(text)
    }

    private static func styled(_ run: StyledText.Run, _ usesColor: Bool) -> String {
        // What is under the cursor has to be seen without colours, too.
        guard let code = run.style.graphicRendition, usesColor || run.style == .selected else {
            return run.text
        }
        return "\u{1B}[\(code)m\(run.text)\u{1B}[0m"
    }

    private func send(_ text: String) {
        // A terminal that is gone is noticed when it is read from.
        _ = try? output.writeAll(text.utf8)
    }
}
