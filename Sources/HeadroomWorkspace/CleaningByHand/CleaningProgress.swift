//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomInventory
public import HeadroomPlatform
import HeadroomPurging
import Synchronization
public import SystemPackage

/// How far cleaning has come, and the way to stop it; from any thread.
///
/// The share is of bytes measured and cleaned, never of a timer; it never goes back.
public final class CleaningProgress: Sendable {
    /// What it is at.
    public enum Phase: String, Hashable, Sendable {
        case measuring
        case cleaning
        case measuringAfter
        case done
    }

    private struct State {
        var phase = Phase.measuring
        var shown = 0.0
        /// What is to be cleaned, once it is known.
        var goal = ByteCount.zero
        /// How many files are to be measured, as far as that is known from before.
        var expectedFiles = 0
        var scan = ScanProgress()
        var freedByModules = ByteCount.zero
    }

    private let state = Mutex(State())
    let purge = PurgeProgress()

    public init() {}

    public var phase: Phase { state.withLock { $0.phase } }

    /// Between 0 and 1; 1 only when it is done.
    public var fraction: Double {
        let cleaned = purge.freed
        return state.withLock { state in
            let measured =
                state.expectedFiles > 0
                ? min(1, Double(state.scan.files) / Double(state.expectedFiles)) : 0
            let done = cleaned + state.freedByModules
            let share =
                state.goal > .zero
                ? min(1, Double(done.bytes) / Double(state.goal.bytes)) : 0
            let now =
                switch state.phase {
                case .measuring: 0.15 * measured
                case .cleaning: 0.15 + 0.7 * share
                case .measuringAfter: 0.85 + 0.149 * measured
                case .done: 1.0
                }
            state.shown = max(state.shown, now)
            return state.shown
        }
    }

    /// What has been freed or moved so far.
    public var cleaned: ByteCount { purge.freed + state.withLock { $0.freedByModules } }
    public var cleanedItems: Int { purge.removed }
    public var currentPath: FilePath? {
        switch phase {
        case .measuring, .measuringAfter: state.withLock { $0.scan }.currentPath
        case .cleaning, .done: purge.currentPath
        }
    }
    public var isCancelled: Bool { purge.isCancelled }

    /// Stops between two items. What has gone has gone.
    public func cancel() {
        purge.cancel()
        state.withLock { $0.scan }.cancel()
    }

    // MARK: - The cleaner's side

    func begin(_ phase: Phase, expecting files: Int) -> ScanProgress {
        let scan = ScanProgress()
        state.withLock { state in
            state.phase = phase
            state.expectedFiles = files
            state.scan = scan
        }
        if isCancelled { scan.cancel() }
        return scan
    }

    func beginCleaning(_ goal: ByteCount) {
        state.withLock { state in
            state.phase = .cleaning
            state.goal = goal
        }
    }

    /// What modules have freed counts as cleaned.
    package func add(freedByModules bytes: ByteCount) {
        state.withLock { $0.freedByModules += bytes }
    }

    package func end() { state.withLock { $0.phase = .done } }
}
