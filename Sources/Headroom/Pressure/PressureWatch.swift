//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import Synchronization
import SystemPackage

/// The readings of a ``PressureMonitor``: a lane for each place, with a task of its own while anybody
/// listens.
final class PressureWatch: Sendable {
    fileprivate struct State {
        var lanes: [PressureLane]
        var listeners: [Int: AsyncStream<PressureChange>.Continuation] = [:]
        var nextListener = 0
        /// Listeners, and those who want a reading now.
        var holders = 0
        /// The tasks of the lanes; cancelled when nobody holds them any more.
        var run: Task<Void, Never>?
        /// Tells a run from those before it, whose last readings may still be under way.
        var epoch = 0
    }

    private let state: Mutex<State>
    private let polling: any VolumePolling
    private let clock: any Clock<Duration>
    /// The time by `clock`, from any start.
    private let time: @Sendable () -> Duration
    private let now: @Sendable () -> Timestamp
    /// How often it is looked at anew what is mounted at a place.
    private static let lookInterval: Duration = .seconds(600)
    static let changesKept = 64

    init(
        _ places: [PressureMonitor.Place], polling: any VolumePolling = SystemVolumePolling(),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = { Timestamp.now() }
    ) {
        state = Mutex(State(lanes: places.map(PressureLane.init)))
        self.polling = polling
        self.clock = clock
        time = Self.stopwatch(clock)
        self.now = now
    }

    private static func stopwatch<C: Clock<Duration>>(
        _ clock: C
    ) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    var volumes: [VolumePressure] {
        state.withLock { state in
            state.lanes.filter { !$0.isDouble && $0.gauge.state != .unread }.map(\.pressure)
        }
    }

    // MARK: - Listening

    func subscribe() -> AsyncStream<PressureChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PressureChange.self, bufferingPolicy: .bufferingNewest(Self.changesKept))
        let number = state.withLock { state in
            defer { state.nextListener += 1 }
            for lane in state.lanes where !lane.isDouble && lane.gauge.state != .unread {
                continuation.yield(PressureChange(volume: lane.pressure, previousLevel: nil))
            }
            state.listeners[state.nextListener] = continuation
            return state.nextListener
        }
        continuation.onTermination = { [weak self] _ in
            guard let self else { return }
            state.withLock { _ = $0.listeners.removeValue(forKey: number) }
            release()
        }
        retain()
        return stream
    }

    func readNow() async -> [VolumePressure] {
        retain()
        let count = state.withLock { $0.lanes.count }
        await withDiscardingTaskGroup { group in
            for number in 0..<count { group.addTask { await self.nextReading(number) } }
        }
        release()
        return volumes
    }

    /// Takes what a forecast expects; what is due earlier by that is read earlier.
    func expect(_ earliest: Duration?, of volume: FilePath) {
        let pauses = state.withLock { state in
            state.lanes.indices.compactMap { number -> Task<Void, Never>? in
                let before = state.lanes[number].gauge.interval
                guard state.lanes[number].pressure.mountPoint == volume,
                    !state.lanes[number].isDouble
                else { return nil }
                state.lanes[number].gauge.expect(earliest)
                return state.lanes[number].gauge.interval < before
                    ? state.lanes[number].pause : nil
            }
        }
        for pause in pauses { pause.cancel() }
    }

    /// Urges a reading, and waits until it is over.
    private func nextReading(_ number: Int) async {
        await withCheckedContinuation { continuation in
            let pause = state.withLock { state -> Task<Void, Never>? in
                state.lanes[number].waiting.append(continuation)
                state.lanes[number].isUrged = true
                return state.lanes[number].pause
            }
            pause?.cancel()
        }
    }

    private func retain() {
        state.withLock { state in
            state.holders += 1
            guard state.holders == 1 else { return }
            state.epoch += 1
            let (epoch, count) = (state.epoch, state.lanes.count)
            // Cancelled by `release`.
            state.run = Task {
                await withDiscardingTaskGroup { group in
                    for number in 0..<count {
                        group.addTask { await self.watch(number, epoch) }
                    }
                }
            }
        }
    }

    private func release() {
        let run = state.withLock { state -> Task<Void, Never>? in
            state.holders -= 1
            guard state.holders == 0 else { return nil }
            defer { state.run = nil }
            return state.run
        }
        run?.cancel()
    }

    // MARK: - Reading

    private func watch(_ number: Int, _ epoch: Int) async {
        while !Task.isCancelled {
            let started = time()
            guard await read(number, epoch, at: started) else { return }
            await pause(number, epoch, since: started)
        }
    }

    /// Waits until the next reading is due or urged.
    private func pause(_ number: Int, _ epoch: Int, since started: Duration) async {
        let pause = state.withLock { state -> Task<Void, Never>? in
            guard state.epoch == epoch, !state.lanes[number].isUrged else { return nil }
            let lane = state.lanes[number]
            let interval = lane.isDouble ? Self.lookInterval : lane.gauge.interval
            let rest = max(.zero, started + interval - time())
            // Cancelled by whoever urges a reading, and with the task that waits for it.
            let pause = Task { [clock] in _ = try? await clock.sleep(for: rest) }
            state.lanes[number].pause = pause
            return pause
        }
        guard let pause else { return }
        await withTaskCancellationHandler {
            await pause.value
        } onCancel: {
            pause.cancel()
        }
        state.withLock { state in
            if state.epoch == epoch { state.lanes[number].pause = nil }
        }
    }

    /// Reads a place's volume once.
    ///
    /// - Returns: false if the run has ended meanwhile.
    private func read(_ number: Int, _ epoch: Int, at started: Duration) async -> Bool {
        let lane = state.withLock { state -> (PressureMonitor.Place, PolledVolume?)? in
            guard state.epoch == epoch else { return nil }
            let lane = state.lanes[number]
            state.lanes[number].isUrged = false
            let isDue = lane.lookedAt.map { started - $0 >= Self.lookInterval } ?? true
            return (lane.place, isDue || lane.isDouble ? nil : lane.polled)
        }
        guard let (place, known) = lane else { return false }
        let limit = place.settings.timeLimit
        let answer: Result<PolledVolume, Errno>
        if let known {
            answer = await poll(known, place.path, limit)
        } else {
            answer = await look(at: place.path, limit)
        }
        // That it was cancelled says nothing about the volume.
        guard !Task.isCancelled else { return false }
        return finish(number, epoch, answer, at: started, isLook: known == nil)
    }

    private func look(
        at place: FilePath, _ limit: Duration
    ) async -> Result<PolledVolume, Errno> {
        do throws(Errno) {
            return .success(try await polling.look(at: place, timeLimit: limit))
        } catch {
            return .failure(error)
        }
    }

    private func poll(
        _ known: PolledVolume, _ place: FilePath, _ limit: Duration
    ) async -> Result<PolledVolume, Errno> {
        do throws(Errno) {
            var polled = known
            polled.volume = try await polling.poll(known, timeLimit: limit)
            return .success(polled)
        } catch {
            guard error == .staleNFSFileHandle || error == .noSuchFileOrDirectory else {
                return .failure(error)
            }
        }
        // Something else is mounted there now, or nothing is.
        return await look(at: place, limit)
    }

    /// Tells what came of a reading.
    private func finish(
        _ number: Int, _ epoch: Int, _ answer: Result<PolledVolume, Errno>, at started: Duration,
        isLook: Bool
    ) -> Bool {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
            guard state.epoch == epoch else { return nil }
            state.take(answer, of: number, at: started, now: now(), isLook: isLook)
            // Those who came while it was being read wait for the next.
            guard !state.lanes[number].isUrged else { return [] }
            defer { state.lanes[number].waiting = [] }
            return state.lanes[number].waiting
        }
        guard let waiting else { return false }
        for continuation in waiting { continuation.resume() }
        return true
    }
}

extension PressureWatch.State {
    fileprivate mutating func take(
        _ answer: Result<PolledVolume, Errno>, of number: Int, at time: Duration, now: Timestamp,
        isLook: Bool
    ) {
        var lane = lanes[number]
        let reading: PressureReading
        switch answer {
        case .success(let polled):
            if isLook || polled.identifier != lane.polled?.identifier { lane.lookedAt = time }
            if let before = lane.polled?.volume, !before.isSame(as: polled.volume) {
                lane.gauge = PressureGauge(settings: lane.place.settings)
                urgeDoubles()
            }
            lane.polled = polled
            lane.isDouble = lanes.indices.contains { other in
                other != number && !lanes[other].isDouble
                    && lanes[other].polled?.volume.isSame(as: polled.volume) == true
            }
            reading = PressureReading(time: time, of: polled.volume)
        case .failure(let error):
            reading = PressureReading(
                time: time, answer: error == .timedOut ? .silent : .failed(error))
        }
        lane.lastRead = now
        let change = lane.isDouble ? nil : lane.gauge.take(reading)
        lanes[number] = lane
        guard let change else { return }
        let told = PressureChange(volume: lane.pressure, previousLevel: change.previousLevel)
        for listener in listeners.values { listener.yield(told) }
    }

    /// What was on the same volume as another may be on one that nobody reads now.
    private mutating func urgeDoubles() {
        for number in lanes.indices where lanes[number].isDouble {
            lanes[number].isUrged = true
            lanes[number].pause?.cancel()
        }
    }
}

extension Volume {
    /// Whether it is the same file system, mounted at the same place or another.
    fileprivate func isSame(as other: Volume) -> Bool {
        device == other.device && type == other.type && source == other.source
    }
}
