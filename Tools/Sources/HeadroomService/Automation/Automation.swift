//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Headroom
import HeadroomConfiguration
public import HeadroomEngine
import HeadroomPlatform
import HeadroomServiceModel
import Synchronization
public import SystemPackage

/// Keeps volumes within budget: watches them, and carries out the policy when a trigger comes.
///
/// Each volume has a lane of its own, in which one thing is done after another; what is slow on one volume
/// holds up no other. Modules are called beside them, one run at a time.
///
///     let automation = Automation(settings, work: WorkspaceWork(workspace), memory: file) { event in … }
///     await automation.run()  // until its task is cancelled
public actor Automation {
    let settings: AutomationSettings
    let work: any PolicyWork
    let world: AutomationWorld
    let tell: @Sendable (AutomationEvent) -> Void
    private let memoryFile: StateFile?
    private var memory: AutomationMemory
    /// What is being written of it.
    private var writing: Task<Void, Never>?
    /// For all who call them, so that none is called twice at once.
    nonisolated let modules: ModuleGroup
    private let requests: AsyncStream<ModuleRequest>
    private let ask: AsyncStream<ModuleRequest>.Continuation
    private let start: @Sendable () -> Duration
    /// What has come when it starts.
    private let first: CleaningTrigger?
    private var lanes: [FilePath: Lane] = [:]
    /// Those that ended after what was due at the start: when the volume is back, that is no start.
    private var ended: Set<FilePath> = []
    /// Plans that wait for a person's word.
    var proposals: [FilePath: WaitingOrders] = [:]
    /// Whether the latest event about age rules was a pause.
    var hasToldPause = false
    /// The places that were last said to be withheld.
    private var toldWithheld: [FilePath] = []

    private struct Lane {
        let volume: WatchedVolume
        /// When what is due was last cleaned before it was opened.
        let last: Timestamp?
        var state: VolumeLane
        var source: any PressureSource
        var thresholds: PressureThresholds
        /// The pause until the next look; cancelled by a change of the level.
        var pause: Task<Void, Never>?
        /// A change has come while nobody paused.
        var isUrged = false
        var isWorking = false

        /// As it was last read; nil: not yet, or it is gone, and what was read is the one around it.
        var pressure: VolumePressure? {
            source.pressure.flatMap { $0.isOf(volume.mountPoint) ? $0 : nil }
        }
    }

    /// - Parameters:
    ///   - memory: where it remembers, from one run to the next; nil: it does not.
    ///   - modules: those of the settings are the only ones in it from now on. It is the one of the automation before,
    ///     so that a module that has not returned from a call of that is not called again.
    ///   - isStart: whether the program has just started; a new configuration alone is no trigger.
    ///   - tell: told what happens, from any thread; it does not block.
    public init(
        _ settings: AutomationSettings, work: any PolicyWork, memory file: StateFile?,
        modules: ModuleGroup = ModuleGroup(), isStart: Bool = true,
        world: AutomationWorld = AutomationWorld(),
        tell: @escaping @Sendable (AutomationEvent) -> Void
    ) {
        self.settings = settings
        self.work = work
        self.world = world
        self.tell = tell
        memoryFile = file
        var memory =
            file.map { AutomationMemory.read($0) { tell(.trouble($0)) } } ?? AutomationMemory()
        // mutation: r25a-9 (2 lines)
        let isUpdate = memory.version.map { $0 != settings.version } ?? false
        // mutation: r25a-8
        first = isUpdate ? .versionChange : isStart ? .launch : nil
        memory.version = settings.version
        memory.note(settings.areas, at: world.now())
        self.memory = memory
        start = Self.stopwatch(world.clock)
        self.modules = modules
        let ids = Set(settings.modules.map(\.id))
        for old in modules.modules where !ids.contains(old.id) { modules.unregister(id: old.id) }
        for module in settings.modules { modules.register(module) }
        (requests, ask) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    private static func stopwatch<C: Clock<Duration>>(
        _ clock: C
    ) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    var uptime: Duration { start() }

    // MARK: - Running

    /// Runs until its task is cancelled. A purge that is under way then ends between two items, with its
    /// receipt.
    public func run() async {
        await remember()
        await tellWithheld()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.serveModules() }
            while !Task.isCancelled {
                for volume in await work.volumes() where !isWatched(volume) {
                    open(volume, first: ended.contains(volume.mountPoint) ? nil : first)
                    group.addTask { await self.attend(volume.mountPoint) }
                }
                await waitForMounts()
                await tellWithheld()
            }
            ask.finish()
            for lane in lanes.values { lane.pause?.cancel() }
        }
        // Another configuration is no trigger: the automation after this one takes up what is left.
        for name in lanes.keys { noteWaiting(name) }
        await remember()
    }

    /// One pass over all volumes, as if the time for what is due had come.
    ///
    /// - Returns: what came of it, in the order in which it was done.
    public func sweep() async -> [PolicyResult] {
        await remember()
        await tellWithheld()
        var results: [PolicyResult] = []
        for volume in await work.volumes() where !Task.isCancelled {
            open(volume, first: .interval)
            guard let lane = lanes[volume.mountPoint] else { continue }
            await lane.source.read()
            results += await look(at: volume.mountPoint)
        }
        await runModules(
            ModuleRequest(bytes: nil, level: .normal, trigger: .interval, through: .cache))
        return results
    }

    /// By whichever of its mounts: two lanes would free the same shortage twice.
    private func isWatched(_ volume: WatchedVolume) -> Bool {
        lanes.values.contains { $0.volume.isSame(as: volume) }
    }

    /// - Parameter first: the trigger that has come already.
    private func open(_ volume: WatchedVolume, first: CleaningTrigger?) {
        let last = memory.lastCleanUps[volume.mountPoint.displayText]
            .map { Timestamp(seconds: $0) }
        lanes[volume.mountPoint] = Lane(
            volume: volume, last: last,
            state: VolumeLane(
                volume.mountPoint,
                schedule: TriggerSchedule(
                    first: first ?? memory.trigger(waitingOn: volume.mountPoint), last: last)),
            source: work.watch(volume, volume.settings),
            thresholds: volume.settings.thresholds)
        tell(.watching(volume.mountPoint))
    }

    /// Looks after a volume until it is gone.
    private func attend(_ name: FilePath) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.listen(name) }
            await serve(name)
            group.cancelAll()
        }
    }

    private func close(_ name: FilePath) {
        noteWaiting(name)
        guard let lane = lanes.removeValue(forKey: name) else { return }
        if lane.state.schedule.last != lane.last { ended.insert(name) }
        proposals[name] = nil
        tell(.gone(name))
    }

    private func listen(_ name: FilePath) async {
        guard let source = lanes[name]?.source else { return }
        for await change in source.changes() {
            if change.volume.isOf(name) { tell(.pressure(change)) }
            tellReading(name)
            lanes[name]?.isUrged = true
            lanes[name]?.pause?.cancel()
        }
    }

    private func serve(_ name: FilePath) async {
        while !Task.isCancelled {
            lanes[name]?.isUrged = false
            // What is decided by is of now: at 5 MB a second two seconds are half of a small volume's reserve.
            await lanes[name]?.source.read()
            guard await isThere(name) else { return close(name) }
            tellReading(name)
            _ = await look(at: name)
            await pause(name)
        }
    }

    /// Asked after each reading: what is read of a volume that is gone is the one around it.
    private func isThere(_ name: FilePath) async -> Bool {
        guard let lane = lanes[name], lane.pressure != nil || lane.source.pressure == nil else {
            return false
        }
        return await work.isMounted(lane.volume)
    }

    private func tellReading(_ name: FilePath) {
        guard let lane = lanes[name], let pressure = lane.pressure else { return }
        tell(.read(lane.volume, pressure, lane.thresholds))
    }

    /// Tells how everything is, to those who begin to listen.
    public func tellAgain() {
        for name in lanes.keys { tellReading(name) }
        if !toldWithheld.isEmpty { tell(.withheld(toldWithheld)) }
        if hasToldPause { hasToldPause = false }
    }

    private func pause(_ name: FilePath) async {
        guard !Task.isCancelled, var lane = lanes[name], !lane.isUrged else { return }
        let duration = lane.state.pause(
            lane.pressure, settings.policy, now: world.now(), uptime: uptime)
        let clock = world.clock
        // Cancelled by a change of the level, and with the lane.
        let pause = Task { _ = try? await clock.sleep(for: duration) }
        lane.pause = pause
        lanes[name] = lane
        await withTaskCancellationHandler {
            await pause.value
        } onCancel: {
            pause.cancel()
        }
        lanes[name]?.pause = nil
    }

    // MARK: - Looking and working

    /// Looks at how a volume is, and does what is to be done.
    private func look(at name: FilePath) async -> [PolicyResult] {
        guard let lane = lanes[name] else { return [] }
        let holds = await work.ageRulesHold()
        await tellPause(holds)
        let isOnBattery = await isOnBattery()
        let outlooks = world.outlooks(name, world.now())
        let situation = situation(
            lane, outlooks, ageRulesHold: holds, isOnBattery: isOnBattery)
        // mutation: r28d-1 (3 lines)
        if let level = situation.pressure?.level {
            lane.source.expect(outlooks.earliest(after: level))
        }
        proposals[name]?.drop(metBy: situation.pressure)
        guard let work = decide(name, situation) else { return [] }
        return await carryOut(work, name, situation)
    }

    /// Asked of files that a driver answers for.
    private func isOnBattery() async -> Bool {
        guard settings.policy.onBattery == .waits else { return false }
        let world = world
        return await BlockingThread.run(lowersPriority: false) { world.isOnBattery() }
    }

    private func situation(
        _ lane: Lane, _ outlooks: AutomationWorld.Outlooks, ageRulesHold: Bool, isOnBattery: Bool
    ) -> PolicySituation {
        PolicySituation(
            trigger: .interval, pressure: lane.pressure, thresholds: lane.thresholds,
            bytesOutlook: outlooks.bytes, inodesOutlook: outlooks.inodes,
            minuteOfDay: world.minuteOfDay(world.now()), isOnBattery: isOnBattery,
            ageRulesHold: ageRulesHold)
    }

    private func decide(_ name: FilePath, _ situation: PolicySituation) -> VolumeLane.Work? {
        guard var lane = lanes[name], !lane.isWorking else { return nil }
        let before = lane.state.putOff
        let work = lane.state.work(
            situation, settings.policy, now: world.now(), uptime: uptime)
        lane.isWorking = work != nil
        let reminders = lane.state.reminders(
            level: situation.pressure?.level, every: settings.policy.reminderInterval,
            uptime: uptime)
        lanes[name] = lane
        for event in reminders { tell(event) }
        if let reason = lane.state.putOff, reason != before {
            tell(.putOff(lane.state.schedule.waiting ?? .interval, volume: name, reason))
        }
        return work
    }

    private func carryOut(
        _ work: VolumeLane.Work, _ name: FilePath, _ situation: PolicySituation
    ) async -> [PolicyResult] {
        let began = uptime
        // What a level asks for does not wait for what can.
        let steps =
            work.decision.steps.filter { $0.purpose.isLevel }
            + work.decision.steps.filter { !$0.purpose.isLevel }
        if !steps.isEmpty { tell(.began(work.trigger, volume: name, steps: steps)) }
        var results: [PolicyResult] = []
        for step in steps where !Task.isCancelled {
            results += await run(step, of: steps, work.trigger, name, situation)
        }
        guard var lane = lanes[name] else { return results }
        let level = situation.pressure?.level
        let told = lane.state.finish(
            work, results, level: level, cost: uptime - began,
            rest: settings.mode.deletesByItself ? .zero : settings.policy.reminderInterval,
            patience: settings.mode.deletesByItself && !settings.modules.isEmpty ? 1 : 0,
            wasStopped: Task.isCancelled, now: world.now(), uptime: uptime)
        lane.isWorking = false
        lanes[name] = lane
        for event in told { tell(event) }
        noteWaiting(name)
        if let last = lane.state.schedule.last {
            memory.lastCleanUps[name.displayText] = last.seconds
            await remember()
        }
        await askModules(work, results, level ?? .normal, name)
        if results.contains(where: { $0.receipt != nil }) {
            await lane.source.read()
            tellReading(name)
        }
        return results
    }

    private func run(
        _ step: PolicyStep, of steps: [PolicyStep], _ trigger: CleaningTrigger, _ name: FilePath,
        _ situation: PolicySituation
    ) async -> [PolicyResult] {
        guard let lane = lanes[name] else { return [] }
        var order = PolicyOrder(
            step: step, trigger: trigger, volume: lane.volume, policy: settings.policy,
            // mutation: r29c-1
            withheld: withheld(clockHolds: situation.ageRulesHold),
            requester: settings.requester)
        if !settings.mode.deletesByItself {
            let tell = tell
            order.propose = { proposal in
                guard let plan = proposal.plan else { return }
                for entry in plan {
                    tell(.wouldRemove(entry, volume: name))
                }
            }
        }
        let results = await work.run(order)
        // Before it is told: who hears of it finds it.
        if settings.mode == .ask {
            proposals[name, default: WaitingOrders()].take(order, results, of: steps)
        }
        for result in results { tell(.ended(result)) }
        return results
    }

    // MARK: - Asking people

    /// Takes that a person has answered what was proposed: it does not wait any more, and the volume is
    /// read again.
    public func settle(proposal id: String) async {
        guard let name = proposals.first(where: { $0.value.entry(id) != nil })?.key else { return }
        proposals[name]?.remove(id)
        await lanes[name]?.source.read()
        tellReading(name)
    }

    /// The places in which nothing goes for now: their declarations are new.
    public func withheldPlaces() async -> Set<FilePath> {
        withheld(clockHolds: await work.ageRulesHold())
    }

    // MARK: - Modules

    private func askModules(
        _ work: VolumeLane.Work, _ results: [PolicyResult], _ level: PressureLevel,
        _ name: FilePath
    ) async {
        guard settings.mode.deletesByItself, !settings.modules.isEmpty else { return }
        // What the areas could not give.
        let missing = results.filter { $0.step.purpose.isLevel }.flatMap(\.missing)
            .filter { $0.resource == .bytes }.max { $0.shortage < $1.shortage }
        if let missing, let step = work.decision.steps.last(where: { $0.purpose.isLevel }),
            let through = step.through
        {
            ask.yield(
                ModuleRequest(
                    bytes: ByteCount(missing.shortage), volume: name,
                    target: ByteCount(missing.target), level: level, trigger: work.trigger,
                    through: through))
        } else if work.decision.steps.contains(where: { $0.purpose == .due }) {
            ask.yield(
                ModuleRequest(
                    bytes: nil, level: level, trigger: work.trigger, through: .cache))
        }
    }

    private func serveModules() async {
        for await request in requests { await runModules(request) }
    }

    private func runModules(_ request: ModuleRequest) async {
        guard settings.mode.deletesByItself, !settings.modules.isEmpty else { return }
        while !Task.isCancelled {
            let run = await modules.clean(
                freeing: await missing(request), level: request.level, trigger: request.trigger,
                through: request.through, timeLimit: settings.policy.moduleTimeLimit)
            if let run { return await note(run) }
            // A person's run is under way.
            await modules.waitUntilIdle()
        }
    }

    private func missing(_ request: ModuleRequest) async -> ByteCount? {
        guard let volume = request.volume else { return request.bytes }
        // What was missing on a volume that is gone is missing no more.
        guard let lane = lanes[volume] else { return nil }
        await lane.source.read()
        return request.missing(available: lane.pressure?.figures?.available)
    }

    /// Lets those modules clean that a person has chosen and confirmed, whatever the mode is.
    ///
    /// - Parameters:
    ///   - shown: what they were said to hold, by their ids: no more is asked of them.
    ///   - tell: told what they are at, from any thread.
    /// - Returns: nil if a run of them is under way.
    func cleanModules(
        _ shown: [String: ByteCount], tell step: @escaping @Sendable (ModuleStep) -> Void
    ) async -> ModuleRun? {
        let run = await modules.cleanChosen(
            shown, timeLimit: settings.policy.moduleTimeLimit, tell: step)
        if let run { await note(run) }
        return run
    }

    private func note(_ run: ModuleRun) async {
        tell(.modules(run))
        // They may have changed what the levels are.
        if run.freed > .zero { for lane in lanes.values { await lane.source.read() } }
    }

    // MARK: - Remembering

    func withheld(clockHolds: Bool) -> Set<FilePath> {
        memory.withheld(
            settings.areas, grace: settings.grace, at: world.now(), clockHolds: clockHolds)
    }

    private func tellWithheld() async {
        let holds = await work.ageRulesHold()
        let places = withheld(clockHolds: holds).sorted { $0.string < $1.string }
        guard places != toldWithheld else { return }
        toldWithheld = places
        tell(.withheld(places))
    }

    /// Takes what has come for a volume and was not carried out to its end; in the mode `ask`, what still waits for a
    /// person's word is not.
    private func noteWaiting(_ name: FilePath) {
        memory.set(
            lanes[name]?.state.schedule.waiting ?? proposals[name]?.dueTrigger, waitingOn: name)
    }

    /// Writes what is remembered, one after another, so that what is later is what stays.
    private func remember() async {
        guard let memoryFile else { return }
        let (memory, before, tell) = (memory, writing, tell)
        // Awaited here, and by the next one.
        let task = Task {
            await before?.value
            await BlockingThread.run(lowersPriority: false) {
                do throws(HeadroomError) {
                    try memory.write(to: memoryFile)
                } catch {
                    tell(.trouble(error.message))
                }
            }
        }
        writing = task
        await task.value
    }
}

extension VolumePressure {
    /// Whether it says something of what is mounted there; of what has never answered it says nothing of another.
    fileprivate func isOf(_ mountPoint: FilePath) -> Bool {
        figures == nil || self.mountPoint == mountPoint
    }
}
