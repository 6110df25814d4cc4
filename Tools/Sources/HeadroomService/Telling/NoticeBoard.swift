//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
public import HeadroomPlatform
public import Logging
public import ServiceLifecycle
import Synchronization
public import SystemPackage

/// Where the parts of the service put what people should know; it is told by all ways that are configured.
///
///     let board = NoticeBoard(tellers: tellers, interval: policy.reminderInterval, logger: logger)
///     board.post(notice)  // from anywhere, at once
///     try await board.run()
///
/// Telling never delays who posts: at most a hundred notices wait, the oldest of which are dropped, with a
/// word in the log. One way that hangs or fails does not keep the others from being used. When the service
/// ends gracefully, what was posted before is still told.
public final class NoticeBoard: Service {
    private let state: Mutex<State>
    private let notices: AsyncStream<Notice>
    private let continuation: AsyncStream<Notice>.Continuation
    private let logger: Logger
    private let uptime: @Sendable () -> Duration

    private struct State {
        var tellers: [any Teller]
        var limiter: NoticeLimiter
        var standing: [Notice] = []
    }

    /// How many notices may wait to be told.
    static let bufferSize = 100
    /// How many are kept to be shown.
    static let standingLimit = 50
    /// What is still so after it has been told again by then.
    private static let bannerTime: Duration = .seconds(24 * 3_600)

    /// - Parameters:
    ///   - interval: what is still so is told again after this, or a tenth of it earlier: who reminds at this
    ///     interval may come a moment too early, and would be silent for two.
    ///   - uptime: the time since any moment, of a clock that only goes forward; nil: the machine's.
    public init(
        tellers: [any Teller], interval: Duration, logger: Logger,
        uptime: (@Sendable () -> Duration)? = nil
    ) {
        state = Mutex(
            State(tellers: tellers, limiter: NoticeLimiter(interval: Self.least(interval))))
        (notices, continuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingNewest(Self.bufferSize))
        self.logger = logger
        let start = ContinuousClock.now
        self.uptime = uptime ?? { ContinuousClock.now - start }
    }

    /// Takes a notice, unless the same was told within the interval.
    ///
    /// - Returns: whether it will be told.
    @discardableResult
    public func post(_ notice: Notice) -> Bool {
        let now = uptime()
        let isTold = state.withLock { state in
            // Once until it answers, whatever is wrong with it.
            let isKnown = state.standing.contains {
                $0.kind == .volume && $0.kind == notice.kind && $0.volume == notice.volume
            }
            guard !isKnown, state.limiter.admits(notice, at: now) else { return false }
            state.standing.removeAll {
                $0.kind == notice.kind && $0.volume == notice.volume
                    && $0.subject == notice.subject
            }
            if notice.kind == .level {
                // The end of a plight.
                state.standing.removeAll {
                    [.cannotHelp, .missed].contains($0.kind) && $0.volume == notice.volume
                }
            }
            state.standing.append(notice)
            if state.standing.count > Self.standingLimit { state.standing.removeFirst() }
            return true
        }
        guard isTold else { return false }
        if case .dropped(let dropped) = continuation.yield(notice) {
            logger.warning(
                "notice dropped: too many wait to be told",
                metadata: ["kind": "\(dropped.kind.rawValue)", "text": "\(dropped.text)"])
        }
        return true
    }

    /// The last notice about each thing, the oldest first.
    public var recent: [Notice] { state.withLock { $0.standing } }

    /// What a page shows as a banner: the last notice about each thing of the last day that did not end since,
    /// what matters most first. Levels and plans that wait have places of their own there.
    public func banners(at now: Timestamp) -> [Notice] {
        let shown = recent.filter { notice in
            notice.kind != .level && notice.kind != .confirmation
                && now.duration(since: notice.time) < Self.bannerTime
        }
        // The latest of equals first.
        return shown.filter { $0.urgency == .high }.reversed()
            + shown.filter { $0.urgency != .high }.reversed()
    }

    /// Removes the notices of a kind, because their causes are over.
    ///
    /// - Parameter texts: only notices with one of these texts; nil: all.
    public func settle(_ kind: Notice.Kind, texts: Set<String>? = nil) {
        state.withLock { state in
            for notice in state.standing
            where notice.kind == kind && texts?.contains(notice.text) != false {
                state.limiter.forget(notice)
            }
            state.standing.removeAll {
                // mutation: r29d-2
                $0.kind == kind && texts?.contains($0.text) != false
            }
        }
    }

    /// Removes the notice about a subject, because its cause is over.
    public func settle(_ kind: Notice.Kind, of subject: String?, onVolume volume: FilePath?) {
        state.withLock { state in
            state.standing.removeAll {
                $0.kind == kind && $0.subject == subject && $0.volume == volume
            }
        }
    }

    /// What a notice was about is no more so of a volume.
    ///
    /// - Returns: whether people were told of it.
    public func settle(_ kind: Notice.Kind, ofVolume volume: FilePath) -> Bool {
        state.withLock { state in
            let count = state.standing.count
            state.standing.removeAll { $0.kind == kind && $0.volume == volume }
            return state.standing.count < count
        }
    }

    /// Takes other ways and another interval, after the configuration was read again.
    public func use(_ tellers: [any Teller], interval: Duration) {
        state.withLock { state in
            state.tellers = tellers
            state.limiter.interval = Self.least(interval)
        }
    }

    // mutation: r24e-3
    private static func least(_ interval: Duration) -> Duration { interval * 9 / 10 }

    /// Takes no more: what waits is told, and ``run()`` returns.
    public func finish() { continuation.finish() }

    /// Tells what is posted, until the service ends.
    public func run() async throws {
        await withGracefulShutdownHandler {
            for await notice in notices { await tell(notice) }
        } onGracefulShutdown: {
            self.continuation.finish()
        }
    }

    private func tell(_ notice: Notice) async {
        let tellers = state.withLock { $0.tellers }
        await withTaskGroup { group in
            for teller in tellers {
                group.addTask { [logger] in
                    do throws(HeadroomError) {
                        try await teller.tell(notice)
                    } catch {
                        logger.warning(
                            "notice not told",
                            metadata: ["by": "\(teller.name)", "error": "\(error.message)"])
                    }
                }
            }
        }
    }
}
