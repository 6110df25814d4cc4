//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What a clean-up by tasks has done.
struct TasksReport: Report {
    static let schema = "headroom.tasks/1"

    var summary: CleanUpTaskSummary

    var status: ExitStatus {
        if summary.wasCancelled { return .interrupted }
        // That the app calls its actions itself is no fault of a task.
        let isWhole =
            summary.problems.allSatisfy { $0.reason.code == .unknownAction }
            && summary.directories.directories.allSatisfy { $0.problem == nil }
        return isWhole ? .done : .partly
    }

    func write(to json: inout JSONWriter) {
        json.member("freedBytes", summary.freed)
        json.member("volumeGainedBytes", summary.volumeGained)
        json.member("containerBytesBefore", summary.before)
        json.member("containerBytesAfter", summary.after)
        json.array("tasks") { json in
            for task in summary.tasks { json.object { TaskLine(task).write(to: &$0) } }
        }
        json.objects("directories", summary.directories.directories) { json, directory in
            json.member("path", directory.registration.area.root)
            json.member("removedItems", directory.removed)
            json.member("freedBytes", directory.freed)
            if let problem = directory.problem { json.member("problem", problem) }
        }
        json.array("receipts", summary.receipts.map(\.id))
    }

    var document: Document {
        var document = Document()
        var table = Table([.fixed(), .path(), .figure(), .text()])
        for task in summary.tasks { TaskLine(task).add(to: &table) }
        for directory in summary.directories.directories {
            table.add(
                .empty, .text(StyledText(directory.registration.area.root.displayText)),
                .text(StyledText(directory.removed == 0 ? "" : "\(directory.freed)")),
                .text(StyledText("purgeable directory, \(directory.removed.counted("item"))")))
            if let problem = directory.problem {
                table.sentence(StyledText(problem.text, .warning), column: 1)
            }
        }
        document.add(table)
        document.addBlank()
        var text = "Freed \(summary.freed)"
        if let gained = summary.volumeGained { text += " (the volume gained \(gained))" }
        text += summary.wasCancelled ? " before it was stopped." : "."
        let receipts = summary.receipts.map(\.shortID)
        if let first = receipts.first {
            text += " Receipt \(receipts.joined(separator: ", ")) (headroom log --receipt \(first))"
        }
        document.add(StyledText(text))
        return document
    }
}

/// What is wrong with tasks.
struct TasksCheckReport: Report {
    static let schema = "headroom.tasks.check/1"

    var summary: CleanUpTaskSummary
    var list: CleanUpTaskList

    /// That the app calls its actions itself is no fault of a task.
    var status: ExitStatus {
        summary.problems.allSatisfy { $0.reason.code == .unknownAction } ? .done : .partly
    }

    func write(to json: inout JSONWriter) {
        json.array("tasks") { json in
            for task in summary.tasks { json.object { TaskLine(task).write(to: &$0) } }
        }
    }

    var document: Document {
        var document = Document()
        let wrong = summary.tasks.filter { $0.outcome == .refused && !$0.isElsewhere }.count
        var table = Table([.fixed(), .path(), .figure(), .text()])
        for task in summary.tasks { TaskLine(task, isChecking: true).add(to: &table) }
        document.add(table)
        document.addBlank()
        document.add(
            StyledText(
                wrong == 0
                    ? "Nothing is wrong with \(summary.tasks.count.counted("task"))."
                    : "\(wrong.counted("task")) of \(summary.tasks.count) would not be run."))
        return document
    }
}

/// What a clean-up by tasks would do.
struct TasksPreviewReport: Report {
    static let schema = "headroom.tasks.preview/1"

    var summary: CleanUpTaskSummary
    var entries: [PlanEntry]
    var directories: [DirectoryCheck]

    var status: ExitStatus {
        summary.problems.allSatisfy { $0.reason.code == .unknownAction } ? .done : .partly
    }

    var items: Int { entries.count + directories.reduce(0) { $0 + $1.items } }
    var bytes: ByteCount {
        entries.reduce(.zero) { $0 + $1.bytes }
            + directories.reduce(.zero) { $0 + ($1.usage ?? .zero) }
    }

    func write(to json: inout JSONWriter) {
        json.member("bytes", bytes)
        json.array("tasks") { json in
            for task in summary.tasks { json.object { TaskLine(task).write(to: &$0) } }
        }
        json.objects("entries", entries) { json, entry in
            json.member("path", entry.path)
            json.member("bytes", entry.bytes)
            json.member("unit", entry.unit.rawValue)
        }
        json.array("directories") { json in
            for directory in directories {
                json.object { DirListReport.write(directory, to: &$0) }
            }
        }
    }

    /// As many are shown; the rest is counted.
    private static let shown = 20

    var document: Document {
        var document = Document()
        var table = Table([.path(), .figure(), .text()])
        for entry in entries.prefix(Self.shown) {
            table.add(
                .text(StyledText(entry.path.displayText)), .size(entry.bytes),
                .text(StyledText(entry.purgeClass.spokenName, .faint)))
        }
        if entries.count > Self.shown {
            table.note(
                StyledText(
                    "and \((entries.count - Self.shown).grouped) more (--json has all)", .faint)
            )
        }
        for directory in directories {
            table.add(
                .text(StyledText(directory.registration.area.root.displayText)),
                .size(directory.usage ?? .zero),
                .text(StyledText("purgeable directory, \(directory.items.counted("item"))", .faint))
            )
        }
        document.add(table)
        for problem in summary.problems { document.add(StyledText(problem.message, .warning)) }
        document.addBlank()
        document.add(StyledText("\(items.counted("item")), \(bytes) would go."))
        return document
    }
}

/// One task in a report.
struct TaskLine {
    private let result: CleanUpTaskResult
    private let isChecking: Bool

    init(_ result: CleanUpTaskResult, isChecking: Bool = false) {
        self.result = result
        self.isChecking = isChecking
    }

    func write(to json: inout JSONWriter) {
        json.member("task", result.number)
        switch result.task?.work {
        case .remove(let path, let entries):
            json.member("path", path)
            if let entries { json.array("entries", entries) }
        case .call(let name, let selectors):
            json.member("class", name)
            json.array("selectors", selectors)
        case nil: break
        }
        json.member("outcome", result.outcome.rawValue)
        json.member("removedItems", result.removed)
        json.member("freedBytes", result.freed)
        json.objects("problems", result.problems) { json, problem in
            json.member("key", problem.key)
            json.member("reason", problem.reason)
            json.member("message", problem.message)
        }
    }

    func add(to table: inout Table) {
        table.add(
            .text(StyledText("\(result.number)", .faint)),
            .text(StyledText(result.task?.name ?? result.problems.first?.name ?? "", .strong)),
            .text(StyledText(result.removed == 0 ? "" : "\(result.freed)")),
            .text(StyledText(words)))
        for problem in result.problems where !result.isElsewhere {
            table.sentence(
                StyledText(
                    problem.key.map { "\($0): \(problem.reason.text)" } ?? problem.reason.text,
                    .warning), column: 1)
        }
    }

    private var words: String {
        if result.isElsewhere { return "called by the app itself" }
        switch result.outcome {
        case .done: return "\(result.removed.counted("item")) removed"
        case .nothingToDo: return "nothing there"
        case .partly: return "\(result.removed.counted("item")) removed, not all"
        case .refused: return isChecking ? "wrong" : "not run"
        case .notReached: return isChecking ? "good" : "not reached"
        }
    }
}

extension CleanUpTaskResult {
    /// It calls actions, which is for the app to do.
    fileprivate var isElsewhere: Bool {
        outcome == .refused && problems.allSatisfy { $0.reason.code == .unknownAction }
    }
}
