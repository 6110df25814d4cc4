//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPurging

/// The steps of a clean-up, in their order, each with a pace of its own.
package enum CleanUpStage: Int, CaseIterable, Comparable, Sendable {
    case lookingUp
    case counting
    case measuring
    /// For the plan.
    case scanning
    /// From the scan to the first removal.
    case preparing
    case removing
    /// The purgeable directories.
    case emptying
    case acting
    case measuringAgain

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What a plan removes.
struct PlannedRemovals {
    /// Files and directories.
    var all = 0
    /// Those among them that go with directories that go whole.
    var inUnits = 0
    var directories = 0
}

/// How much of a clean-up is done: the time that it took until now, against that and what the rest is
/// going to take.
///
/// What the rest takes is forecast from what was measured in this run: each step has an amount of work, a
/// cost for one of it, and a pace that says how many times slower this machine is than the cost. A step
/// that has not begun has the pace of the one before that is most like it; time in which that only
/// waited for the disk is not expected again, since what was read is in memory then. All is in seconds.
struct CleanUpForecast {
    /// What is to be done of a step, and was.
    struct Work {
        var amount = 0.0
        var done = 0.0
        /// What a directory costs more than an entry, in entries.
        var perDirectory = 0.0
        /// On the wall, and of the processor, while it ran.
        var seconds = 0.0
        var processor = 0.0
    }

    var costs: CleanUpCosts
    private(set) var stage = CleanUpStage.lookingUp
    private var works = Array(repeating: Work(), count: CleanUpStage.allCases.count)
    private var start = 0.0
    private var begun: (seconds: Double, processor: Double) = (0, 0)
    /// The time of the last step forward.
    private var last = 0.0

    // MARK: Removing

    /// Directories included, and how many of them are.
    var items = 0.0
    var directories = 0.0
    var bytes = 0.0
    /// Members of directories that go whole: each is looked at twice.
    var members = 0.0
    /// Directories among them.
    var wholeDirectories = 0.0
    /// How many times what goes is that of the largest directory.
    var spread = 1.0
    /// What the tasks' purge had of it when the purgeable directories' began.
    var reading = RemovalMeter.Reading()
    var emptyingFrom = 0.0

    // MARK: Actions

    /// What each is expected to take.
    var actions: [Double] = []
    var actionsDone = 0
    /// Of the one that runs.
    var actionFraction = 0.0
    private var actionBegun = 0.0

    /// Until so many of them are done the pace is mostly that which was expected.
    private static let share = 100.0
    /// Entries after which the pace of measuring is trusted.
    private static let early = 128.0
    /// The part of all that counting is taken for, before anything is known.
    static let countingShare = 0.09
    /// What one more thread adds: they share the file system's locks.
    private static let threadGain = 0.6

    init(costs: CleanUpCosts, now: Double, processor: Double) {
        self.costs = costs
        start = now
        last = now
        begun = (now, processor)
    }

    subscript(stage: CleanUpStage) -> Work {
        get { works[stage.rawValue] }
        set { works[stage.rawValue] = newValue }
    }

    var elapsed: Double { last - start }

    // MARK: - Work

    /// - Parameter entries: directories included, which cost more.
    mutating func setAmount(
        _ entries: Int, _ directories: EntryCount.Directories, of stage: CleanUpStage
    ) {
        if directories.count > 0 {
            let levels = Double(directories.levels) / Double(directories.count)
            self[stage].perDirectory = (costs.directory + costs.level * levels) / cost(stage)
        }
        self[stage].amount =
            Double(max(0, entries)) + self[stage].perDirectory * Double(directories.count)
    }

    mutating func setDone(_ entries: Int, directories: Int, of stage: CleanUpStage) {
        let done = Double(entries) + self[stage].perDirectory * Double(directories)
        self[stage].done = min(done, self[stage].amount)
    }

    // MARK: - What has happened

    mutating func enter(_ next: CleanUpStage, at now: Double, _ processor: Double) {
        guard next > stage else { return }
        pass(now, processor)
        self[stage].done = max(self[stage].done, self[stage].amount)
        stage = next
        begun = (now, processor)
        actionBegun = now
    }

    /// A step forward.
    mutating func pass(_ now: Double, _ processor: Double) {
        last = max(last, now)
        self[stage].seconds = max(0, last - begun.seconds)
        self[stage].processor = max(0, processor - begun.processor)
    }

    mutating func finishAction(at now: Double) {
        actionsDone += 1
        actionFraction = 0
        actionBegun = now
    }

    // MARK: - The forecast

    var fraction: Double {
        let rest = CleanUpStage.allCases.filter { $0 >= stage }.reduce(0) { $0 + self.rest(of: $1) }
        let all = elapsed + rest
        let fraction = all > 0 ? elapsed / all : 0
        // Counting does not tell whether what it counts is in memory or on the disk.
        let isEarly = stage == .measuring && self[.measuring].done < Self.early
        return isEarly ? min(fraction, Self.countingShare) : fraction
    }

    private func rest(of stage: CleanUpStage) -> Double {
        let work = self[stage]
        switch stage {
        case .lookingUp, .counting: return 0
        case .measuring, .scanning, .measuringAgain:
            return max(0, work.amount - work.done) * cost(stage) * pace(stage)
        case .preparing:
            let all = costs.preparing + items * costs.planning * warmPace
            return work.amount > 0 ? max(0, all - work.seconds) : 0
        case .removing:
            return removal(
                items: items - Double(reading.items),
                directories: directories - Double(reading.directories.count),
                bytes - Double(reading.bytes))
                + max(0, 2 * members - Double(reading.looks)) * looking
        case .emptying:
            let left = work.amount - max(0, Double(reading.items) - emptyingFrom)
            let isBegun = self.stage == .emptying && Double(reading.items) > emptyingFrom
            return removal(items: left, directories: 0, 0)
                + (isBegun ? 0 : work.amount * costs.scanning * warmPace)
        case .acting: return restOfActions
        }
    }

    private func removal(items: Double, directories: Double, _ bytes: Double) -> Double {
        let expected = expectedRemoval
        let rates = reading.rates(
            item: expected.item, byte: expected.byte, directory: expected.directory)
        let left = min(max(0, directories), max(0, items))
        return max(0, items - left) * rates.item + max(0, bytes) * rates.byte
            + left * rates.directory
    }

    /// What a file, a byte and a directory are expected to cost before one of them has gone.
    private var expectedRemoval: (item: Double, byte: Double, directory: Double) {
        // What goes with a directory that goes whole goes one after another.
        let plain = self.items > 0 ? max(0, self.items - members) / self.items : 1
        let threads = max(1, min(Double(costs.threads), spread))
        let parallel = plain / (1 + Self.threadGain * (threads - 1)) + 1 - plain
        let directory =
            costs.removingDirectory * (1 - partInside) + costs.removingInside * partInside
        return (
            costs.removing * warmPace * parallel, costs.byte * warmPace, directory * warmPace
        )
    }

    /// The part of the directories that goes with what it is in.
    private var partInside: Double {
        members > 0 ? min(1, wholeDirectories / max(1, directories)) : 0
    }

    private var looking: Double {
        (Self.share * expectedLooking + reading.looking) / (Self.share + Double(reading.looks))
    }

    private var expectedLooking: Double {
        let ofDirectories = costs.wholeDirectory * wholeDirectories / max(1, 2 * members)
        return (costs.looking + ofDirectories) * warmPace
    }

    /// Adds to what is known of the volume what this run has cost, against what it was expected to.
    func teach(_ experience: inout RemovalExperience) {
        let expected = expectedRemoval
        let seen = reading.costs(byte: expected.byte)
        let directory = seen.directory.map { $0 / expected.directory }
        experience.take(
            item: seen.item.map { $0 / expected.item },
            directory: partInside < 0.5 ? directory : nil,
            inside: partInside >= 0.5 ? directory : nil,
            looking: reading.looks >= 256
                ? reading.looking / Double(reading.looks) / expectedLooking : nil)
    }

    private var restOfActions: Double {
        guard actionsDone < actions.count else { return 0 }
        let waiting = actions[(actionsDone + 1)...].reduce(0, +)
        let expected = actions[actionsDone]
        guard stage == .acting, actionFraction > 0 else { return waiting + expected }
        // What it says of itself soon counts for more than what was thought before.
        let own = (last - actionBegun) / actionFraction
        let weight = min(1, 4 * actionFraction)
        return waiting + (1 - actionFraction) * (weight * own + (1 - weight) * expected)
    }

    // MARK: - Paces

    private func cost(_ stage: CleanUpStage) -> Double {
        switch stage {
        case .counting: costs.counting
        case .measuring, .measuringAgain: costs.measuring
        default: costs.scanning
        }
    }

    /// How many times slower than its cost a step is.
    private func pace(_ stage: CleanUpStage) -> Double {
        let work = self[stage]
        let cost = cost(stage)
        return (Self.share * cost * expectedPace(stage) + work.seconds)
            / ((Self.share + work.done) * cost)
    }

    private func expectedPace(_ stage: CleanUpStage) -> Double {
        switch stage {
        case .measuring: pace(.counting)
        case .scanning, .measuringAgain: warmPace
        default: 1
        }
    }

    /// That of measuring, without the time in which it only waited.
    private var warmPace: Double {
        let work = self[.measuring]
        guard work.seconds > 0 else { return pace(.measuring) }
        return pace(.measuring) * min(1, work.processor / work.seconds)
    }
}
