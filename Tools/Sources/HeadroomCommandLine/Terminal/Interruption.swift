//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Whether a person, or the system, wants the program to stop: SIGINT, SIGTERM or SIGHUP.
///
/// The first signal only sets a flag, so that a purge ends between two items and with a receipt;
/// the second one kills, as if this were not here.
package enum Interruption {
    /// The signal that came first; 0: none.
    private static let first = Atomic<Int32>(0)
    /// The signals that are ignored since this program began, a bit each.
    private static let ignored = Atomic<UInt64>(0)

    package static var isRequested: Bool { first.load(ordering: .relaxed) != 0 }

    /// Starts to catch the signals.
    ///
    /// Also ignores SIGPIPE: a closed pipe behind standard output must not end a purge halfway. A
    /// write to it fails then with `EPIPE`.
    package static func install() {
        // Makes sure that the global is initialised before a handler touches it.
        _ = isRequested
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var action = sigaction()
            // An atomic store is all it does, which is safe in a signal handler. SA_RESETHAND: the
            // second signal has its default effect. No SA_RESTART: a prompt's read(2) must end.
            action.setHandler { number in Interruption.note(number) }
            action.sa_flags = Int32(truncatingIfNeeded: Int64(SA_RESETHAND))
            _ = unsafe sigaction(number, &action, nil)
        }
        ignore(SIGPIPE)
    }

    /// Ignores SIGXFSZ, for every command: a limit of the shell (`ulimit -f`) must not end a purge halfway, nor cut off
    /// what is being written down. A write beyond it fails then with `EFBIG`.
    package static func ignoreFileSizeLimit() {
        // mutation: s14c-1
        ignore(SIGXFSZ)
    }

    /// Gives signals that are ignored their default effect back, where they had it when the program began: whoever
    /// becomes another program hands on what is ignored (execve(2)). What posix_spawn starts gets it anyway.
    package static func handBack() {
        let signals = ignored.exchange(0, ordering: .relaxed)
        for number in [SIGPIPE, SIGXFSZ] where signals & 1 << UInt64(number) != 0 {
            #if canImport(Glibc)
            _ = Glibc.signal(number, SIG_DFL)
            #else
            _ = unsafe Darwin.signal(number, SIG_DFL)
            #endif
        }
    }

    private static func ignore(_ number: Int32) {
        // Nil is SIG_DFL.
        #if canImport(Glibc)
        let hadDefault = Glibc.signal(number, SIG_IGN) == nil
        #else
        let hadDefault = unsafe Darwin.signal(number, SIG_IGN) == nil
        #endif
        if hadDefault { ignored.bitwiseOr(1 << UInt64(number), ordering: .relaxed) }
    }

    /// For a service: who asks it to read its configuration again before it has begun is heard when it has.
    ///
    /// Blocked, and not ignored: what is ignored does not reach the descriptor (`signalfd(2)`) by which it is
    /// waited for later. For the thread of `main`, before there are others.
    package static func holdHangUps() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGHUP)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private static func note(_ number: Int32) {
        first.store(number, ordering: .relaxed)
    }
}

extension sigaction {
    fileprivate mutating func setHandler(_ handler: @escaping @convention(c) (Int32) -> Void) {
        #if canImport(Glibc)
        unsafe __sigaction_handler.sa_handler = handler
        #else
        unsafe __sigaction_u.__sa_handler = handler
        #endif
    }
}
