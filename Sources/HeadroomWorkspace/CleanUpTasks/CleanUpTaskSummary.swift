//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform

/// What became of one task.
public struct CleanUpTaskResult: Hashable, Sendable {
    /// Nil if it could not be read.
    public var task: CleanUpTask?
    public var number: Int
    public var outcome: Outcome
    /// Items that went: files, databases, and directories that go whole.
    public var removed = 0
    /// What they were expected to free.
    public var freed = ByteCount.zero
    /// What is wrong with it, or what stayed, and why.
    public var problems: [CleanUpTaskProblem] = []

    public enum Outcome: String, Hashable, Sendable {
        case done
        /// What it names is not there.
        case nothingToDo
        /// Some of it stayed; see ``CleanUpTaskResult/problems``.
        case partly
        /// It was not run: nothing of it was touched.
        case refused
        /// Its time had not come when the clean-up was stopped.
        case notReached
    }

    package init(_ task: CleanUpTask, _ outcome: Outcome) {
        self.task = task
        number = task.number
        self.outcome = outcome
    }

    /// A task that could not be read.
    package init(number: Int, problems: [CleanUpTaskProblem]) {
        self.number = number
        self.problems = problems
        outcome = .refused
    }
}

/// What a clean-up has done.
public struct CleanUpTaskSummary: Hashable, Sendable {
    /// In the order of the list.
    public var tasks: [CleanUpTaskResult] = []
    /// The purgeable directories, which a clean-up by hand empties.
    public var directories = DirectoryChecks()
    /// Of the purges that were made.
    public var receipts: [Receipt] = []
    /// What the container occupied before; nil: it was not measured to the end.
    public var before: ByteCount?
    /// And after.
    public var after: ByteCount?
    /// What the container's volume gained meanwhile by its own account, whoever wrote or removed; nil if
    /// it does not say.
    public var volumeGained: ByteCount?
    /// It was stopped: what is here was done before.
    public var wasCancelled = false

    package init() {}

    /// What the container occupies less than before; if it was not measured to the end, what the
    /// removed items were expected to free. Negative if something has grown more meanwhile.
    public var freed: ByteCount {
        guard let before, let after else {
            return receipts.reduce(.zero) { $0 + $1.expected }
        }
        // mutation: r30f-1
        return before - after
    }

    /// The same in megabytes of 10⁶ bytes.
    public var freedMegabytes: Double { Double(freed.bytes) / 1_000_000 }

    /// What is wrong with tasks, or stayed.
    public var problems: [CleanUpTaskProblem] { tasks.flatMap(\.problems) }
}
