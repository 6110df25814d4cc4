//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore

/// One task of a list: what a person's clean-up removes, or calls.
public struct CleanUpTask: Hashable, Sendable {
    /// Its place in the list; the first is 1.
    public var number: Int
    public var work: Work

    public enum Work: Hashable, Sendable {
        /// Removes a file, or what is in a directory; with entries, the direct children of the directory
        /// that have one of these names (`*` stands for any characters), each whole.
        case remove(path: String, entries: [String]?)
        /// Calls actions that the program has registered under these names.
        case call(class: String, selectors: [String])
    }

    /// What tells it from the others, for people: `Path “Library/Caches/Maps”`.
    public var name: String {
        switch work {
        case .remove(let path, _): "Path \(path.quotedForPeople)"
        case .call(let name, _): "Class \(name.quotedForPeople)"
        }
    }

    public init(number: Int, work: Work) {
        self.number = number
        self.work = work
    }
}

/// What is wrong with a task, or kept it from being done wholly.
public struct CleanUpTaskProblem: Hashable, Sendable {
    /// Its place in the list; the first is 1.
    public var task: Int
    /// What the task is about, as far as that can be said: `Path “Library/Caches/Maps”`.
    public var name: String?
    /// The key of the task that it is about: `Path`, `Entries`, `Class`, `Selectors`, or one that does not
    /// belong there.
    public var key: String?
    public var reason: Reason

    public init(task: Int, name: String?, key: String?, reason: Reason) {
        self.task = task
        self.name = name
        self.key = key
        self.reason = reason
    }

    /// The whole sentence: `Task 3 (Path “Library/Caches/Maps”), key Entries: …`.
    public var message: String {
        "Task \(task)" + (name.map { " (\($0))" } ?? "")
            + (key.map { ", key \($0.plainForPeople)" } ?? "") + ": \(reason.text)"
    }
}

extension CleanUpTaskProblem: CustomStringConvertible {
    public var description: String { message }
}

extension CleanUpTaskProblem {
    init(_ task: CleanUpTask, key: String?, _ code: Reason.Code, _ text: String) {
        self.init(task: task.number, name: task.name, key: key, reason: Reason(code, text))
    }
}

extension Reason.Code {
    // MARK: Why a clean-up task is not run

    /// The task is not written as it has to be.
    public static let invalidTask = Reason.Code("invalid-task")
    /// Nothing is registered under that name.
    public static let unknownAction = Reason.Code("unknown-action")
    /// It leads out of the container, or to what is never removed.
    public static let refusedTask = Reason.Code("refused-task")
}

extension String {
    /// The text in quotation marks, cut where it is long, with control characters as `\u{…}`.
    var quotedForPeople: String { "“\(plainForPeople)”" }

    var plainForPeople: String {
        var text = ""
        for scalar in unicodeScalars.prefix(200) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return unicodeScalars.count > 200 ? text + "…" : text
    }
}
