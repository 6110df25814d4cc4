//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// The fraction that is shown, against the part of all the time that has passed, by the clock of a
/// machine on which each system call has its price.
@Suite("R30: the progress of clean-up tasks is that of the work")
struct CleanUpProgressTests {
    private let fixture: CleanUpTaskFixture
    private typealias Words = CleanUpTaskFixture

    init() throws { fixture = try CleanUpTaskFixture() }

    enum Shape: String, CaseIterable, Sendable {
        case tinyAndHuge, deep, lastTaskIsNearlyAll, mostlyOthers, mostlyRemoved, manyDirectories
    }

    enum Machine: String, CaseIterable, Sendable {
        case memory, disk, slowProcessor, cold, slowRemoval, fastRemoval

        var costs: VirtualMachine.Costs {
            var costs = VirtualMachine.Costs()
            switch self {
            case .memory: break
            case .disk:
                costs.remove = 13e-6
                // A quarter more than is expected.
                costs.removeDirectory = 400e-6
                costs.byte = 0.06e-9
            case .slowProcessor: costs = costs * 6
            case .cold: costs.cold = 20e-6
            case .slowRemoval: costs.remove *= 1.25
            case .fastRemoval: costs.remove /= 1.25
            }
            return costs
        }

        /// What the file system lets expect.
        var expected: CleanUpCosts {
            var costs = CleanUpCosts(fileSystem: self == .disk ? "ext4" : "tmpfs")
            // Takes no time on a machine on which only system calls do.
            costs.preparing = 0
            costs.planning = 0
            // Nor does it matter to it how deep a directory lies.
            costs.level = 0
            costs.countingLevel = 0
            // It has one clock for all threads: what they do takes as long one after another.
            costs.threads = 1
            return costs
        }
    }

    private func make(_ shape: Shape) throws -> CleanUpTaskList {
        let maps = "Library/Caches/Maps"
        var tasks = [maps]
        switch shape {
        case .tinyAndHuge:
            try fixture.tree.files(3_000, in: fixture.path("\(maps)/tiny"), size: .kilobytes(1))
            try fixture.tree.files(3, in: fixture.path("\(maps)/huge"), size: .megabytes(16))
            try fixture.tree.files(500, in: fixture.path("Documents/Letters"), size: .kilobytes(1))
        case .deep:
            var path = maps
            for number in 0..<160 {
                path += "/d\(number)"
                try fixture.tree.files(15, in: fixture.path(path), size: .kilobytes(1))
            }
        case .lastTaskIsNearlyAll:
            for number in 0..<9 {
                let name = "Library/Caches/Small\(number)"
                try fixture.tree.files(40, in: fixture.path(name), size: .kilobytes(4))
                tasks.insert(name, at: 0)
            }
            try fixture.tree.files(2_500, in: fixture.path(maps), size: .kilobytes(4))
        case .mostlyOthers:
            for number in 0..<40 {
                try fixture.tree.files(
                    100, in: fixture.path("Documents/\(number)"), size: .kilobytes(1))
            }
            try fixture.tree.files(300, in: fixture.path(maps), size: .kilobytes(4))
        case .mostlyRemoved:
            try fixture.tree.files(3_000, in: fixture.path(maps), size: .kilobytes(4))
        case .manyDirectories:
            for number in 0..<300 {
                try fixture.tree.files(
                    number % 60 == 0 ? 60 : 6, in: fixture.path("\(maps)/\(number % 30)/\(number)"),
                    size: .kilobytes(1))
            }
        }
        return try Words.list(tasks.map { Words.remove($0) }.joined())
    }

    /// Runs tasks on a machine to the end.
    private func run(
        _ list: CleanUpTaskList, on machine: VirtualMachine, _ expected: CleanUpCosts,
        actions: [Duration?] = [], act: (CleanUpTaskProgress) -> Void = { _ in }
    ) throws -> CleanUpTaskSummary {
        let progress = CleanUpTaskProgress(costs: expected, clock: machine.clock)
        machine.watch(progress)
        return try fixture.run(
            list, calls: TimedCalls(machine), progress, actions: actions, act: act,
            whenMeasured: machine.look)
    }

    /// The largest distance, and the way of the figure in steps of a twentieth.
    private func compare(_ machine: VirtualMachine) -> (worst: Double, table: String) {
        let samples = machine.samples
        let worst = samples.dropLast().map { abs($0.fraction - $0.time) }.max() ?? 1
        var table: [String] = []
        for part in 0..<20 {
            guard let sample = samples.first(where: { $0.time >= Double(part) / 20 }) else {
                continue
            }
            table.append("\(Int(sample.time * 100)):\(Int(sample.fraction * 100))")
        }
        return (worst, table.joined(separator: " "))
    }

    /// Each tree on two machines, and three of them on all.
    private static let cases: [(Shape, Machine)] = Shape.allCases.flatMap { shape in
        let isVaried = [.tinyAndHuge, .mostlyOthers, .manyDirectories].contains(shape)
        return (isVaried ? Machine.allCases : [.memory, .disk]).map { (shape, $0) }
    }

    @Test(.tags(.r30e), arguments: cases)
    func itIsWithinATenthOfTheElapsedWork(shape: Shape, on machine: Machine) throws {
        let list = try make(shape)
        let virtual = VirtualMachine(machine.costs)
        let summary = try run(list, on: virtual, machine.expected)
        #expect(summary.tasks.allSatisfy { $0.outcome == .done })
        let samples = virtual.samples
        #expect(samples.count > 50)
        #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.fraction <= $1.fraction })
        #expect(samples.filter { $0.fraction >= 1 }.count == 1 && samples.last?.fraction == 1)
        let (worst, table) = compare(virtual)
        #expect(worst < 0.1, "\(shape) \(machine) \(worst): \(table)")
    }

    /// Actions that say how long they usually take, one of them wrongly, and how far they have come; and a
    /// short one that does not.
    @Test func actionsCountForWhatTheyTake() throws {
        let list = try make(.mostlyRemoved)
        let machine = VirtualMachine(Machine.memory.costs)
        let summary = try run(
            list, on: machine, Machine.memory.expected,
            actions: [.milliseconds(30), .milliseconds(40), .milliseconds(12)]
        ) { progress in
            for (number, seconds) in [0.03, 0.05, 0.01].enumerated() {
                for part in 1...100 {
                    machine.spend(seconds / 100)
                    if number < 2 { progress.noteAction(number, fraction: Double(part) / 100) }
                    if number < 2 { machine.look() }
                }
                progress.addAction()
                machine.look()
            }
        }
        #expect(summary.tasks.map(\.outcome) == [.done])
        let (worst, table) = compare(machine)
        #expect(worst < 0.1, "\(worst): \(table)")
        let samples = machine.samples
        #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.fraction <= $1.fraction })
    }

    // MARK: - What the runs before have taught

    /// A disk on which a directory costs three times what is usual: that is known only when the first goes,
    /// after all the files, and from then on.
    @Test func theSecondRunKnowsTheDisk() throws {
        var costs = Machine.disk.costs
        costs.removeDirectory = 1e-3
        var experience = RemovalExperience()
        var worst: [Double] = []
        var table = ""
        for _ in 0..<2 {
            let list = try make(.manyDirectories)
            let machine = VirtualMachine(costs)
            let progress = CleanUpTaskProgress(
                costs: Machine.disk.expected.with(experience), clock: machine.clock)
            machine.watch(progress)
            _ = try fixture.run(
                list, calls: TimedCalls(machine), progress, whenMeasured: machine.look)
            let result = compare(machine)
            worst.append(result.worst)
            table = result.table
            progress.teach(&experience)
        }
        #expect(worst[0] > 0.1, "it was never in doubt")
        #expect(worst[1] < 0.1, "\(worst[1]) with \(experience): \(table)")
        #expect(experience.runs == 2)
    }

    @Test func aRunInWhichTooLittleWentTeachesNothing() throws {
        let list = try make(.tinyAndHuge)
        let machine = VirtualMachine(Machine.memory.costs)
        let progress = CleanUpTaskProgress(costs: Machine.memory.expected, clock: machine.clock)
        _ = try fixture.run(list, calls: TimedCalls(machine), progress)
        var experience = RemovalExperience()
        progress.teach(&experience)
        // Two directories went.
        #expect(experience.directory == 1 && experience.inside == 1)
        #expect(experience.item != 1)
    }

    /// What lies between the last look at a directory that goes whole and the first of its files to go.
    @Test func gettingReadyIsNotThePriceOfAFile() throws {
        let machine = VirtualMachine(VirtualMachine.Costs())
        let meter = RemovalMeter(now: machine.clock.now)
        for _ in 0..<600 {
            machine.spend(1e-6)
            meter.noteLook()
        }
        machine.spend(0.1)
        for _ in 0..<300 {
            machine.spend(1e-5)
            meter.noteItem(0)
        }
        let item = try #require(meter.reading.costs(byte: 0).item)
        // The first of them cannot be told from what went before it.
        #expect((0.99e-5...1e-5).contains(item), "\(item)")
        #expect((0.1...0.101).contains(meter.reading.looking))
    }

    @Test func oneSlowRunIsNotAllThatCounts() {
        var experience = RemovalExperience()
        experience.take(item: 2, directory: nil, inside: nil, looking: nil)
        #expect(experience.item == 2)
        for _ in 0..<7 { experience.take(item: 1, directory: nil, inside: nil, looking: nil) }
        experience.take(item: 4, directory: .infinity, inside: nil, looking: 0)
        #expect(experience.item == 4)
        #expect(experience.directory == 1 && experience.looking == 1)
        // The first directories go in the tenth run.
        experience.take(item: nil, directory: 3, inside: nil, looking: nil)
        #expect(experience.directory == 3)
    }

    /// The file beside the ledger: written, read again, and no matter when it is damaged.
    @Test(arguments: [
        "", "headroom.removal-costs/1\nnan 0 -1 x 5 y\n1 1 1\n", "other\n1 1 1 1 1 x\n",
    ])
    func whatWasLearntIsKeptBesideTheLedger(damaged: String) async throws {
        for number in 0..<40 {
            try fixture.tree.files(
                10, in: fixture.path("Library/Caches/Maps/\(number)"), size: .kilobytes(1))
        }
        try fixture.tree.file("ledger/removal-costs", text: damaged)
        let summary = try await fixture.run(Words.remove("Library/Caches/Maps"))
        #expect(summary.tasks.map(\.outcome) == [.done])
        let text = String(
            decoding: try fixture.tree.contents(of: "ledger/removal-costs"), as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.first == "headroom.removal-costs/1")
        #expect(lines.count == 2, "\(text)")
        let words = try #require(lines.last).split(separator: " ")
        #expect(words.prefix(4).allSatisfy { (Double($0) ?? 0) > 0 }, "\(text)")
        #expect(words.dropFirst(4).prefix(2) == ["1", "tmpfs"])
        for number in 0..<40 {
            try fixture.tree.files(
                10, in: fixture.path("Library/Caches/Maps/\(number)"), size: .kilobytes(1))
        }
        #expect(
            try await fixture.run(Words.remove("Library/Caches/Maps")).tasks.map(\.outcome)
                == [.done])
    }
}
