//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import HeadroomTestSupport
import Synchronization
import SystemPackage

/// A machine on which nothing is real: one volume of 1,000 MB, a clock that is moved by hand, and work that
/// takes as long as it is told.
final class ImaginaryMachine: PolicyWork {
    static let volume = WatchedVolume(mountPoint: "/data", place: "/data/cache")
    static let start = Timestamp(seconds: 1_800_000_000)

    let clock = ManualClock()
    private let state = Mutex(State())

    /// One step as it was asked for.
    struct Run: Sendable {
        var order: PolicyOrder
        var began: Duration
        var ended: Duration?
    }

    struct State {
        var gauge = PressureGauge()
        var available: ByteCount = .megabytes(900)
        var wallShift: Duration = .zero
        var isOnBattery = false
        var ageRulesHold = true
        /// What a purge frees; nil: what is wanted.
        var frees: ByteCount?
        var cost: Duration = .seconds(3)
        var runs: [Run] = []
        var events: [AutomationEvent] = []
        var likely: Duration?
        /// How soon critical may be reached at the earliest, by the forecast.
        var earliestCritical: Duration?
        /// What the volume's source was told of forecasts.
        var expected: [Duration?] = []
        /// Those on which there are areas.
        var volumes = [ImaginaryMachine.volume]
        /// Another value when something was mounted.
        var mounts = 0
        /// By the table of mounts.
        var isMounted = true
        /// What is mounted where the volume's place is.
        var readMountPoint = ImaginaryMachine.volume.mountPoint
        /// Who is told of changes of the level; nil: nobody listens.
        var listener: AsyncStream<PressureChange>.Continuation?
        /// How often somebody has read the volume.
        var reads = 0
        /// In a plan that is not carried out.
        var proposes = 0
    }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    var runs: [Run] { state.withLock { $0.runs } }
    var events: [AutomationEvent] { state.withLock { $0.events } }
    var expected: [Duration?] { state.withLock { $0.expected } }
    var reads: Int { state.withLock { $0.reads } }
    var now: Timestamp {
        Self.start.advanced(by: clock.now.offset + state.withLock { $0.wallShift })
    }

    /// Midnight is at the start.
    func minuteOfDay(_ time: Timestamp) -> Int {
        let minutes = time.duration(since: Self.start).components.seconds / 60
        return Int(((minutes % 1_440) + 1_440) % 1_440)
    }

    var world: AutomationWorld {
        var world = AutomationWorld()
        world.clock = clock
        world.now = { self.now }
        world.minuteOfDay = { self.minuteOfDay($0) }
        world.isOnBattery = { self.state.withLock { $0.isOnBattery } }
        world.outlooks = { _, _ in
            var outlooks = AutomationWorld.Outlooks()
            let (likely, critical) = self.state.withLock { ($0.likely, $0.earliestCritical) }
            if let likely {
                outlooks.bytes = .expected(.init(earliest: .zero, likely: likely, latest: nil))
            }
            if let critical {
                outlooks.criticalBytes = .expected(
                    .init(earliest: critical, likely: critical * 2, latest: nil))
                outlooks.age = .seconds(30)
            }
            return outlooks
        }
        return world
    }

    func automation(
        _ settings: AutomationSettings, memory: StateFile? = nil,
        modules: ModuleGroup = ModuleGroup(), isStart: Bool = true
    ) -> Automation {
        Automation(
            settings, work: self, memory: memory, modules: modules, isStart: isStart, world: world
        ) { event in
            self.state.withLock { $0.events.append(event) }
        }
    }

    /// Reads the volume, as its monitor would.
    @discardableResult
    func pressure() -> VolumePressure {
        let time = clock.now.offset
        let now = now
        return state.withLock { state in
            _ = state.gauge.take(
                PressureReading(
                    time: time,
                    answer: .figures(.init(available: state.available, total: .megabytes(1_000)))))
            return VolumePressure(
                mountPoint: state.readMountPoint, gauge: state.gauge, lastRead: now)
        }
    }

    /// Lets something write, and tells it as the monitor does, without waiting for the next look.
    ///
    /// - Returns: false if nobody listens; then nothing has happened.
    func push(available: ByteCount) -> Bool {
        guard let listener = state.withLock({ $0.listener }) else { return false }
        let before = pressure().level
        change { $0.available = available }
        listener.yield(PressureChange(volume: pressure(), previousLevel: before))
        return true
    }

    // MARK: - Work

    func volumes() async -> [WatchedVolume] { state.withLock { $0.volumes } }

    func mounts() async -> Int { state.withLock { $0.mounts } }

    func isMounted(_ volume: WatchedVolume) async -> Bool { state.withLock { $0.isMounted } }

    func watch(_ volume: WatchedVolume, _ settings: PressureSettings) -> any PressureSource {
        Source(machine: self)
    }

    struct Source: PressureSource {
        let machine: ImaginaryMachine

        var pressure: VolumePressure? { machine.pressure() }
        func changes() -> AsyncStream<PressureChange> {
            let (stream, listener) = AsyncStream<PressureChange>.makeStream()
            machine.change { $0.listener = listener }
            return stream
        }
        func read() async { machine.change { $0.reads += 1 } }
        func expect(_ earliest: Duration?) { machine.change { $0.expected.append(earliest) } }
    }

    func ageRulesHold() async -> Bool { state.withLock { $0.ageRulesHold } }

    func run(_ order: PolicyOrder) async -> [PolicyResult] {
        let began = clock.now.offset
        let (number, cost) = state.withLock { state in
            state.runs.append(Run(order: order, began: began))
            return (state.runs.count - 1, state.cost)
        }
        // Cancelled: it ends at once.
        try? await clock.sleep(for: cost)
        let ended = clock.now.offset
        return state.withLock { state in
            state.runs[number].ended = ended
            var result = PolicyResult(
                trigger: order.trigger, step: order.step, volume: order.volume.mountPoint,
                outcome: order.propose == nil ? .purged : .proposed)
            if order.propose != nil { result.plannedItems = state.proposes }
            guard let need = order.step.need(.bytes) else { return [result] }
            let freed = min(state.frees?.bytes ?? need.wanted, need.wanted)
            if freed == 0, need.wanted > 0, order.propose == nil { result.outcome = .nothing }
            var available = need.available + freed
            if order.propose == nil {
                state.available += ByteCount(freed)
                available = state.available.bytes
            }
            let left = PolicyNeed(
                .bytes, at: need.level, available: available, target: need.target, minimum: 0)
            if left.shortage > 0 {
                result.missing = [left]
                if freed < need.shortage / 2, order.step.purpose.isLevel {
                    result.plights = [
                        PolicyPlight(volume: "/data", need: need, eligible: freed)
                    ]
                }
            }
            return [result]
        }
    }
}
