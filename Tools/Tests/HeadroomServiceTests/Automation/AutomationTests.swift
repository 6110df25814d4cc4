//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomService
import HeadroomTestSupport
import SystemPackage
import Testing

struct AutomationTests {
    private let machine = ImaginaryMachine()

    /// Lets it run for a time.
    ///
    /// - Parameter rate: what others write each second.
    private func run(
        _ settings: AutomationSettings, for time: Duration, memory: StateFile? = nil,
        isStart: Bool = true, writing rate: ByteCount = .zero,
        then body: (Automation) async -> Void = { _ in }
    ) async {
        let automation = machine.automation(settings, memory: memory, isStart: isStart)
        // Cancelled and awaited below.
        let task = Task { await automation.run() }
        let end = machine.clock.now.offset + time
        while true {
            await machine.clock.whenAsleep(2)
            let left = end - machine.clock.now.offset
            guard left > .zero else { break }
            let step = min(left, machine.clock.nextWake ?? left)
            machine.clock.advance(by: step)
            let written = ByteCount(Int64(Double(rate.bytes) * (step / .seconds(1))))
            machine.change { $0.available -= min(written, $0.available) }
        }
        await body(automation)
        task.cancel()
        await task.value
    }

    private func settings(_ mode: ServiceMode) -> AutomationSettings {
        var settings = AutomationSettings()
        settings.mode = mode
        return settings
    }

    private var triggers: [CleaningTrigger] { machine.runs.map(\.order.trigger) }

    @Test(.tags(.r25a)) func aStartAndThenOnceADay() async {
        await run(settings(.act), for: .seconds(3 * 86_400 + 600))
        #expect(triggers == [.launch, .interval, .interval, .interval])
        let began = machine.runs.map(\.began)
        for (one, next) in zip(began, began.dropFirst()) {
            #expect(next - one >= .seconds(86_400) && next - one <= .seconds(86_400 + 70))
        }
    }

    @Test func aNewConfigurationAloneIsNoTrigger() async throws {
        let directory = try TemporaryDirectory()
        let memory = StateFile("m.json", in: directory.path)
        await run(settings(.act), for: .seconds(600), memory: memory)
        await run(settings(.act), for: .seconds(600), memory: memory, isStart: false)
        #expect(triggers == [.launch])
        await run(settings(.act), for: .seconds(86_400), memory: memory, isStart: false)
        #expect(triggers == [.launch, .interval])
    }

    /// It ends what is under way, and the automation after it begins with that.
    @Test func whatANewConfigurationStopsStaysDue() async throws {
        let directory = try TemporaryDirectory()
        let memory = StateFile("m.json", in: directory.path)
        machine.change { $0.cost = .seconds(1_000) }
        await run(settings(.act), for: .seconds(60), memory: memory)
        machine.change { $0.cost = .seconds(3) }
        await run(settings(.act), for: .seconds(60), memory: memory, isStart: false)
        #expect(triggers == [.launch, .launch])
        await run(settings(.act), for: .seconds(600), memory: memory, isStart: false)
        #expect(triggers == [.launch, .launch])
    }

    @Test(arguments: [CleaningTrigger.launch, .versionChange])
    func whatWaitsIsNotLostByANewConfiguration(_ first: CleaningTrigger) async throws {
        let directory = try TemporaryDirectory()
        let memory = StateFile("m.json", in: directory.path)
        var settings = settings(.act)
        settings.policy.onBattery = .waits
        if first == .versionChange {
            await run(settings, for: .seconds(60), memory: memory)
            settings.version = "1.1"
        }
        let before = triggers
        machine.change { $0.isOnBattery = true }
        await run(settings, for: .seconds(600), memory: memory)
        await run(settings, for: .seconds(600), memory: memory, isStart: false)
        #expect(triggers == before)
        let putOff = machine.events.compactMap { event -> CleaningTrigger? in
            if case .putOff(let trigger, _, _) = event { return trigger }
            return nil
        }
        #expect(putOff == [first, first])
        machine.change { $0.isOnBattery = false }
        await run(settings, for: .seconds(120), memory: memory, isStart: false)
        #expect(triggers == before + [first])
        await run(settings, for: .seconds(120), memory: memory, isStart: false)
        #expect(triggers == before + [first])
    }

    /// In the mode `ask`: it is proposed anew, by what the new configuration says.
    @Test func whatWaitsForAPersonIsNotLostByANewConfiguration() async throws {
        let directory = try TemporaryDirectory()
        let memory = StateFile("m.json", in: directory.path)
        machine.change { $0.proposes = 2 }
        await run(settings(.ask), for: .seconds(60), memory: memory)
        await run(settings(.ask), for: .seconds(60), memory: memory, isStart: false) { automation in
            let waiting = await automation.proposed
            #expect(waiting.map(\.result.step.purpose) == [.due])
        }
        machine.change { $0.proposes = 0 }
        for _ in 0..<2 {
            await run(settings(.ask), for: .seconds(60), memory: memory, isStart: false)
        }
        #expect(triggers == [.launch, .launch, .launch])
    }

    /// The directory of the records may be anybody's.
    @Test(.tags(.r29h)) func whatIsNotItsMemoryIsKept() async throws {
        let directory = try TemporaryDirectory()
        let mine = "{\"lights\": \"on\"}"
        try directory.tree.file("m.json", text: mine)
        let memory = StateFile("m.json", in: directory.path)
        await run(settings(.act), for: .seconds(60), memory: memory)
        await run(settings(.act), for: .seconds(60), memory: memory)
        let names = try directory.tree.names(in: "").map(\.text).sorted()
        #expect(names.count == 2)
        let aside = try #require(names.first { $0.hasPrefix("m.json.damaged-") })
        let text = try directory.tree.contents(of: TreePath(stringLiteral: aside))
        #expect(text == Array(mine.utf8))
        #expect(try memory.read() != Array(mine.utf8))
    }

    @Test(.tags(.r25a)) func anotherVersionIsOne() async throws {
        let directory = try TemporaryDirectory()
        let memory = StateFile("m.json", in: directory.path)
        var settings = settings(.act)
        for version in ["1.0", "1.0", "1.1"] {
            settings.version = version
            await run(settings, for: .seconds(60), memory: memory)
        }
        #expect(triggers == [.launch, .launch, .versionChange])
    }

    @Test func aLevelIsHelpedOnceAndThenLeftAlone() async {
        machine.change { $0.available = .megabytes(40) }
        await run(settings(.act), for: .seconds(1_200))
        let level = machine.runs.filter { $0.order.step.purpose.isLevel }
        // Critical to its target of 100, and warning, when critical is left, to 200.
        #expect(level.map(\.order.step.purpose) == [.level(.critical), .level(.warning)])
        #expect(level.first?.order.step.need(.bytes)?.target == 100_000_000)
        #expect(level.first?.began == .zero, "before what is due")
        #expect(machine.pressure().figures?.available == .megabytes(200))
    }

    @Test(
        "A purge that does not help takes a small part of the time, with a notice once an hour",
        .tags(.r24e))
    func whatDoesNotHelpTakesATwentiethOfTheTimeAndIsToldHourly() async {
        machine.change { state in
            state.available = .megabytes(1)
            state.frees = .zero
            state.cost = .seconds(2)
        }
        await run(settings(.act), for: .seconds(3 * 3_600 + 300))
        let level = machine.runs.filter { $0.order.step.purpose.isLevel }
        #expect(level.count > 38 && level.count < 50, "\(level.count)")
        let plights = machine.events.compactMap { event -> Bool? in
            if case .plight(_, let isReminder) = event { return isReminder }
            return nil
        }
        #expect(plights == [false, true, true, true])
    }

    /// A purge of two seconds that gives little is tried again after forty; but at once if others write on and
    /// fill the volume, with content on it that may go.
    @Test(arguments: [
        (3, 2, 3...8),
        (3, 0, 1...1),
        (0, 2, 1...1),
    ])
    func othersWhoWriteOnAreNotWaitedFor(
        frees: Int64, writes: Int64, times: ClosedRange<Int>
    ) async {
        machine.change { state in
            state.available = .megabytes(40)
            state.frees = .megabytes(frees)
            state.cost = .seconds(2)
        }
        await run(settings(.act), for: .seconds(40), writing: .megabytes(writes))
        let levels = machine.runs.filter { $0.order.step.purpose.isLevel }
        #expect(times.contains(levels.count), "\(levels.count)")
    }

    @Test func helpIsToldToo() async {
        machine.change { state in
            state.available = .megabytes(1)
            state.frees = .zero
        }
        let machine = machine
        let automation = machine.automation(settings(.act))
        // Cancelled and awaited below.
        let task = Task { await automation.run() }
        for _ in 0..<10 {
            await machine.clock.whenAsleep(2)
            machine.clock.advance(by: machine.clock.nextWake ?? .seconds(1))
        }
        machine.change { $0.frees = nil }
        for _ in 0..<10 {
            await machine.clock.whenAsleep(2)
            machine.clock.advance(by: machine.clock.nextWake ?? .seconds(1))
        }
        task.cancel()
        await task.value
        #expect(machine.events.contains { if case .relieved = $0 { true } else { false } })
    }

    @Test func observingProposesOnceAnHourAndPurgesNothing() async {
        machine.change { $0.available = .megabytes(40) }
        await run(settings(.observe), for: .seconds(2 * 3_600 + 100))
        #expect(machine.runs.allSatisfy { $0.order.propose != nil })
        #expect(machine.runs.filter { $0.order.step.purpose.isLevel }.count == 3)
        #expect(machine.pressure().figures?.available == .megabytes(40))
    }

    @Test func aLevelThatGetsWorseDoesNotWait() async {
        machine.change { $0.available = .megabytes(90) }
        let machine = machine
        let automation = machine.automation(settings(.observe))
        // Cancelled and awaited below.
        let task = Task { await automation.run() }
        // Ten minutes at warning, which is looked at again in an hour; then it is critical.
        for end in [600, 700] as [Int64] {
            while machine.clock.now.offset < .seconds(end) {
                await machine.clock.whenAsleep(2)
                machine.clock.advance(by: machine.clock.nextWake ?? .seconds(1))
            }
            await machine.clock.whenAsleep(2)
            machine.change { $0.available = .megabytes(10) }
        }
        task.cancel()
        await task.value
        let levels = machine.runs.map(\.order.step.purpose).filter(\.isLevel)
        #expect(levels == [.level(.warning), .level(.critical)])
    }

    @Test func temporaryContentGoesAheadOfTimeAndNotEveryMinute() async {
        machine.change { state in
            state.available = .megabytes(150)
            state.frees = .megabytes(1)
            state.likely = .seconds(7_200)
        }
        await run(settings(.act), for: .seconds(2 * 3_600))
        let early = machine.runs.filter { $0.order.step.purpose == .aheadOfTime }
        #expect(early.count >= 1 && early.count <= 3, "\(early.count)")
        #expect(early.allSatisfy { $0.order.step.spending == .temporary })
    }

    /// R28: who reads the volume is told how soon the threshold after its level may be reached.
    @Test(.tags(.r28d)) func whatIsExpectedIsPassedToWhoReadsTheVolume() async {
        machine.change { $0.available = .megabytes(90) }
        await run(settings(.observe), for: .seconds(100))
        #expect(!machine.expected.isEmpty && machine.expected.allSatisfy { $0 == nil })
        // Of warning that it has reached already nothing is expected; of critical it is, as of half a minute ago.
        machine.change { state in
            state.expected = []
            state.likely = .seconds(7_200)
            state.earliestCritical = .seconds(100)
        }
        await run(settings(.observe), for: .seconds(100))
        #expect(!machine.expected.isEmpty)
        #expect(machine.expected.allSatisfy { $0 == .seconds(70) })
    }

    @Test func aStopEndsWorkThatIsUnderWay() async {
        machine.change { state in
            state.available = .megabytes(40)
            state.cost = .seconds(1_000_000)
        }
        let automation = machine.automation(settings(.act))
        // Cancelled and awaited below.
        let task = Task { await automation.run() }
        await machine.clock.whenAsleep(2)
        #expect(machine.runs.count == 1)
        task.cancel()
        await task.value
        #expect(machine.runs.count == 1)
        #expect(machine.runs[0].ended == .zero)
    }

    // MARK: - Grace

    private func area(_ name: String, _ purgeClass: PurgeClass = .cache) -> Area {
        Area(root: FilePath("/data/\(name)"), purgeClass: purgeClass, origin: "test")
    }

    @Test(.tags(.r29c)) func newDeclarationsAreLeftAloneForTheirGrace() async throws {
        let directory = try TemporaryDirectory()
        let memory = StateFile("m.json", in: directory.path)
        var settings = settings(.act)
        settings.policy.interval = .seconds(3_600)
        settings.areas = [area("old")]
        await run(settings, for: .seconds(86_000), memory: memory)
        #expect(machine.runs.allSatisfy { $0.order.withheld == ["/data/old"] })
        // Kept across a restart.
        settings.areas.append(area("new"))
        await run(settings, for: .seconds(3_700), memory: memory)
        let last = try #require(machine.runs.last)
        #expect(last.order.withheld == ["/data/new"])
        // A declaration that lets more go is a new one.
        settings.areas[0].purgeClass = .temporary
        await run(settings, for: .seconds(60), memory: memory)
        #expect(machine.runs.last?.order.withheld == ["/data/old", "/data/new"])
        settings.grace = .zero
        await run(settings, for: .seconds(60), memory: memory)
        #expect(machine.runs.last?.order.withheld == [])
    }

    /// What is edited, and whether that lets more go than a cache of single files that are kept for 30 days after
    /// their last use, and are shrunk to 10 MB.
    private static let edits: [(name: String, isNew: Bool, edit: @Sendable (inout Area) -> Void)] =
        [
            ("nothing", false, { $0.origin = "another line" }),
            ("a shorter retention", true, { $0.retention = .seconds(3_600) }),
            ("a longer retention", false, { $0.retention = .seconds(60 * 86_400) }),
            ("no retention", false, { $0.retention = nil }),
            ("another age", true, { $0.ageBasis = .created }),
            ("a smaller limit", true, { $0.limit = .megabytes(9) }),
            ("a larger limit", false, { $0.limit = .megabytes(11) }),
            ("no limit", false, { $0.limit = nil }),
            ("more of the limit", true, { $0.trimPercent = 50 }),
            (
                "half of a limit three times as large", false,
                {
                    $0.limit = .megabytes(30)
                    $0.trimPercent = 50
                }
            ),
            ("whole directories", true, { $0.unit = .entry }),
            ("temporary", true, { $0.purgeClass = .temporary }),
            ("last resort", false, { $0.purgeClass = .lastResort }),
            (
                "last resort, with a shorter retention", true,
                {
                    $0.purgeClass = .lastResort
                    $0.retention = .seconds(3_600)
                }
            ),
            ("another order", false, { $0.order = .oldestCreated }),
        ]

    @Test(.tags(.r29c), arguments: edits.indices)
    func anEditThatLetsMoreGoIsANewDeclaration(_ index: Int) async throws {
        let (name, isNew, edit) = Self.edits[index]
        let directory = try TemporaryDirectory()
        let memory = StateFile("m.json", in: directory.path)
        var settings = settings(.act)
        settings.areas = [area("edited"), area("other")]
        settings.areas[0].retention = .seconds(30 * 86_400)
        settings.areas[0].limit = .megabytes(10)
        await run(settings, for: .seconds(86_500), memory: memory)
        edit(&settings.areas[0])
        await run(settings, for: .seconds(60), memory: memory)
        let young: Set<FilePath> = isNew ? ["/data/edited"] : []
        #expect(machine.runs.last?.order.withheld == young, "\(name)")
        // It is over a day after the edit, and not before.
        await run(settings, for: .seconds(86_400), memory: memory)
        await run(settings, for: .seconds(60), memory: memory)
        #expect(machine.runs.last?.order.withheld == [], "\(name)")
    }

    /// The retention of an area that had none, and what an area gets that lay under another one inside it.
    @Test func whatWasKeptUntilNowHasItsGraceToo() async throws {
        let directory = try TemporaryDirectory()
        let memory = StateFile("m.json", in: directory.path)
        var settings = settings(.act)
        settings.areas = [
            area("old"), area("around"), area("around/kept", .essential), area("around/tmp"),
        ]
        settings.areas[3].purgeClass = .temporary
        await run(settings, for: .seconds(86_500), memory: memory)
        settings.areas[0].retention = .seconds(3_600)
        settings.areas.removeLast()
        await run(settings, for: .seconds(60), memory: memory)
        #expect(machine.runs.last?.order.withheld == ["/data/old"])
        settings.areas.removeLast()
        await run(settings, for: .seconds(60), memory: memory)
        #expect(machine.runs.last?.order.withheld == ["/data/old", "/data/around"])
    }

    @Test func nothingIsOldWhileTheClocksDisagree() async throws {
        let directory = try TemporaryDirectory()
        let memory = StateFile("m.json", in: directory.path)
        var settings = settings(.act)
        settings.areas = [area("old")]
        await run(settings, for: .seconds(60), memory: memory)
        machine.change { state in
            state.wallShift = .seconds(30 * 86_400)
            state.ageRulesHold = false
        }
        await run(settings, for: .seconds(60), memory: memory)
        #expect(machine.runs.last?.order.withheld == ["/data/old"])
        #expect(machine.runs.last?.order.step.goesByAge == false)
    }

    @Test func aDamagedMemoryMakesEverythingNew() async throws {
        let directory = try TemporaryDirectory()
        let memory = StateFile("m.json", in: directory.path)
        try memory.replace(with: Array("{\"declarations\":".utf8)) { _ in true }
        var settings = settings(.act)
        settings.areas = [area("old"), area("kept", .essential)]
        await run(settings, for: .seconds(60), memory: memory)
        #expect(machine.runs.last?.order.withheld == ["/data/old"])
        #expect(
            machine.events.contains {
                if case .trouble(let text) = $0 { text.contains("damaged") } else { false }
            })
    }
}
