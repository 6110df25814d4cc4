//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
package import SystemPackage

/// Keeps an ``OpenFileSnapshot`` and a ``LockTable`` fresh while a purge runs.
///
/// Nothing runs in the background: the thread that asks takes a new one when the last is too old,
/// while others go on with the last. The descriptors that the purge itself opens do not count: see
/// ``OwnDescriptors``. Safe to use from several threads.
package final class OpenFileMonitor: Sendable {
    /// What was seen at one moment.
    package struct Sight: Sendable {
        package let files: OpenFileSnapshot
        package fileprivate(set) var locks: LockTable
    }

    private struct State {
        var sight: Sight
        var taken: Duration
        var locksTaken: Duration
        var names: Names
        var isRefreshing = false
        var refreshes = 1
    }

    /// When the command lines and environments of all processes were read.
    private struct Names {
        var taken: Duration
        /// How long it took.
        var cost: Duration = .zero

        /// Reading takes at most a tenth of the time.
        var maximumAge: Duration { max(OpenFileMonitor.maximumAge, cost * 10) }
    }

    /// How old a sight may get: the design's second.
    package static let maximumAge: Duration = .seconds(1)

    package let own: OwnDescriptors
    private let roots: [FilePath]
    private let now: @Sendable () -> Duration
    private let state: Mutex<State>
    /// When the last snapshot was begun, in nanoseconds, and how many there were: what each file is
    /// asked about is only read, so that threads do not wait for one another.
    private let takenAt: Atomic<Int64>
    private let number = Atomic<Int>(1)

    /// Takes the first snapshot. Blocks.
    ///
    /// - Parameters:
    ///   - own: made before the purge opened anything.
    ///   - roots: the plain paths of the directories that are purged: what a process names in them counts.
    ///   - survey: an earlier survey below the same directories; for a second its names are used.
    ///   - now: a clock that never goes back; the time since any fixed moment.
    package init(
        own: OwnDescriptors, below roots: [FilePath] = [],
        survey: ProcessPathSurvey? = nil, now: (@Sendable () -> Duration)? = nil
    ) {
        self.own = own
        self.roots = roots
        let clock = ContinuousClock()
        let start = clock.now
        self.now = now ?? { clock.now - start }
        // Before the snapshot: it is at least as old as the moment it was begun.
        let taken = self.now()
        takenAt = Atomic(taken.wholeNanoseconds)
        let age = survey.map { clock.now - $0.begun } ?? Self.maximumAge
        let isRecent = age < Self.maximumAge
        let sight = Self.look(
            own: own, expecting: 0, below: roots, named: isRecent ? survey?.named : nil)
        let names =
            isRecent ? Names(taken: taken - age) : Names(taken: taken, cost: self.now() - taken)
        state = Mutex(State(sight: sight, taken: taken, locksTaken: taken, names: names))
    }

    /// The last sight, not older than `age`, unless another thread is just taking a new one.
    package func sight(notOlderThan age: Duration = maximumAge) -> Sight {
        refreshIfOlder(than: age)
        return state.withLock { $0.sight }
    }

    /// Takes a new snapshot in the calling thread if the last is older than `age`.
    ///
    /// - Returns: whether it took one.
    @discardableResult
    package func refreshIfOlder(than age: Duration = maximumAge) -> Bool {
        let began = now()
        guard
            began.wholeNanoseconds - takenAt.load(ordering: .relaxed) >= age.wholeNanoseconds
        else { return false }
        let last = state.withLock { state -> (files: OpenFileSnapshot, names: Names)? in
            guard began - state.taken >= age, !state.isRefreshing else { return nil }
            state.isRefreshing = true
            return (state.sight.files, state.names)
        }
        guard let last else { return false }
        let areNamesKnown = began - last.names.taken < last.names.maximumAge
        let sight = Self.look(
            own: own, expecting: last.files.count, below: roots,
            named: areNamesKnown ? last.files.named : nil)
        let names = areNamesKnown ? last.names : Names(taken: began, cost: now() - began)
        state.withLock { state in
            state.sight = sight
            state.taken = began
            state.locksTaken = began
            state.names = names
            state.isRefreshing = false
            state.refreshes += 1
            number.store(state.refreshes, ordering: .releasing)
            takenAt.store(began.wholeNanoseconds, ordering: .relaxed)
        }
        return true
    }

    /// The table of locks alone, not older than `age`: it costs a small part of
    /// a snapshot (measured: 0.2 ms).
    package func locks(notOlderThan age: Duration) -> LockTable {
        let began = now()
        let known = state.withLock { state in
            began - state.locksTaken < age ? state.sight.locks : nil
        }
        if let known { return known }
        let locks = LockTable.read()
        state.withLock { state in
            state.sight.locks = locks
            state.locksTaken = began
        }
        return locks
    }

    /// Brings a sight up to date, if there is a newer one or it is time to take one.
    package func update(_ known: inout KnownSight) {
        refreshIfOlder()
        let number = number.load(ordering: .acquiring)
        guard number != known.number else { return }
        known.sight = state.withLock { $0.sight }
        known.number = number
    }

    /// The last sight that one thread has got.
    package struct KnownSight {
        package fileprivate(set) var sight: Sight
        /// Another one for each sight.
        package fileprivate(set) var number: Int

        /// - Parameter monitor: the one that it will be kept up to date by.
        package init(_ monitor: OpenFileMonitor) {
            number = monitor.number.load(ordering: .acquiring)
            sight = monitor.sight()
        }
    }

    /// How many snapshots were taken.
    package var refreshes: Int { state.withLock { $0.refreshes } }

    private static func look(
        own: OwnDescriptors, expecting count: Int, below roots: [FilePath],
        named: [FileIdentity: OpenFileSnapshot.Use]?
    ) -> Sight {
        Sight(
            files: .capture(own: own, expecting: count, below: roots, named: named),
            locks: .read())
    }
}

extension Duration {
    fileprivate var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }
}
