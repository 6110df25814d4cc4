//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform
public import SystemPackage

/// The tasks of a `PurgeableCache.plist`.
///
/// The file is an array of dictionaries, in XML or the binary form. A task has either `Path`, relative to
/// the container, with optional `Entries`; or `Class` with `Selectors`. One that is not written so is
/// among ``problems`` and is not run; the others are.
public struct CleanUpTaskList: Hashable, Sendable {
    /// Those that are written as they have to be, in their order.
    public let tasks: [CleanUpTask]
    /// What is wrong with the others.
    public let problems: [CleanUpTaskProblem]

    /// The longest file that is read: far more than anybody writes by hand.
    public static let sizeLimit = ByteCount(1 << 20)

    /// Reads a file. Blocks; follows links.
    ///
    /// - Throws: `notFound`, `notPermitted`, `io`; `invalid` if it is no property list with an array of
    ///   tasks, cut short, longer than ``sizeLimit``, or nested without end.
    public init(contentsOf path: FilePath) throws(HeadroomError) {
        let bytes: [UInt8]
        do {
            bytes = try SmallFile.read(path, limit: Int(Self.sizeLimit.bytes))
        } catch {
            switch error {
            case .fileTooLarge:
                throw Self.refusal(path.displayText, "it is longer than \(Self.sizeLimit)")
            case .invalidArgument, .isDirectory:
                throw Self.refusal(path.displayText, "it is no regular file")
            case .noSuchFileOrDirectory, .notDirectory:
                throw HeadroomError(
                    .notFound,
                    "There are no clean-up tasks: \(path.displayText) does not exist. Put "
                        + "PurgeableCache.plist there, or name the file.", cause: error)
            default: throw HeadroomError("read", path, error)
            }
        }
        try self.init(parsing: bytes, named: path.displayText)
    }

    /// Reads the content of such a file.
    ///
    /// - Parameter name: of the file, for errors.
    /// - Throws: `invalid`, as for a file.
    public init(parsing bytes: [UInt8], named name: String) throws(HeadroomError) {
        guard bytes.count <= Self.sizeLimit.bytes else {
            throw Self.refusal(name, "it is longer than \(Self.sizeLimit)")
        }
        let list: PropertyList
        do {
            list = try PropertyList(bytes)
        } catch {
            throw Self.refusal(name, error.why)
        }
        guard case .array(let entries) = list else {
            throw Self.refusal(name, "it is \(list.kind), not an array of tasks")
        }
        var tasks: [CleanUpTask] = []
        var problems: [CleanUpTaskProblem] = []
        for (index, entry) in entries.enumerated() {
            var reading = CleanUpTaskReading(number: index + 1)
            if let task = reading.task(from: entry), reading.problems.isEmpty { tasks.append(task) }
            problems += reading.problems
        }
        self.tasks = tasks
        self.problems = problems
    }

    /// Tasks that a program has made itself. They are checked like those of a file when they run.
    public init(_ works: [CleanUpTask.Work]) {
        var tasks: [CleanUpTask] = []
        var problems: [CleanUpTaskProblem] = []
        for (index, work) in works.enumerated() {
            let task = CleanUpTask(number: index + 1, work: work)
            var reading = CleanUpTaskReading(number: index + 1)
            reading.check(task)
            if reading.problems.isEmpty { tasks.append(task) }
            problems += reading.problems
        }
        self.tasks = tasks
        self.problems = problems
    }

    private static func refusal(_ name: String, _ why: String) -> HeadroomError {
        HeadroomError(
            .invalid,
            "\(name) is not a list of clean-up tasks: \(why). It has to be a property list in XML or "
                + "the binary form, an array with a dictionary for each task.")
    }
}
