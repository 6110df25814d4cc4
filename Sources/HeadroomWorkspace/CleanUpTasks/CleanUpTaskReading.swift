//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore

/// Reads one task, and notes what is wrong with it.
struct CleanUpTaskReading {
    let number: Int
    private(set) var problems: [CleanUpTaskProblem] = []
    private var name: String?

    static let keys = ["Path", "Entries", "Class", "Selectors"]

    init(number: Int) {
        self.number = number
    }

    /// - Returns: nil if it cannot be made out; not to be used if there are problems.
    mutating func task(from value: PropertyList) -> CleanUpTask? {
        guard case .dictionary(let pairs) = value else {
            note(nil, "A task has to be a dictionary, and this is \(value.kind).")
            return nil
        }
        var values: [String: PropertyList] = [:]
        var twice: Set<String> = []
        for pair in pairs where values.updateValue(pair.value, forKey: pair.key) != nil {
            twice.insert(pair.key)
        }
        if case .string(let path)? = values["Path"] {
            name = "Path \(path.quotedForPeople)"
        } else if case .string(let path)? = values["Class"] {
            name = "Class \(path.quotedForPeople)"
        }
        for key in values.keys.sorted() where !Self.keys.contains(key) {
            note(key, "There is no such key. A task has Path and Entries, or Class and Selectors.")
        }
        for key in twice.sorted() { note(key, "The key is there twice. Leave one of them.") }
        guard let work = work(values) else { return nil }
        let task = CleanUpTask(number: number, work: work)
        check(task)
        return task
    }

    private mutating func work(_ values: [String: PropertyList]) -> CleanUpTask.Work? {
        let removes = values["Path"] != nil || values["Entries"] != nil
        let calls = values["Class"] != nil || values["Selectors"] != nil
        guard removes != calls else {
            guard removes else {
                // Misspelt, most likely, and noted as that.
                guard values.keys.allSatisfy(Self.keys.contains) else { return nil }
                note("Path", "The key is missing. A task needs Path, or Class with Selectors.")
                return nil
            }
            note(
                values["Class"] == nil ? "Selectors" : "Class",
                "Path and Class do not go together. Make two tasks of it.")
            return nil
        }
        if removes {
            let path = string(values, "Path")
            let entries = values["Entries"] == nil ? nil : strings(values, "Entries")
            guard let path else { return nil }
            return .remove(path: path, entries: entries)
        }
        let (name, selectors) = (string(values, "Class"), strings(values, "Selectors"))
        guard let name, let selectors else { return nil }
        return .call(class: name, selectors: selectors)
    }

    private mutating func string(_ values: [String: PropertyList], _ key: String) -> String? {
        guard let value = values[key] else {
            note(key, "The key is missing.")
            return nil
        }
        guard case .string(let text) = value else {
            note(key, "It has to be a string, and is \(value.kind).")
            return nil
        }
        return text
    }

    private mutating func strings(_ values: [String: PropertyList], _ key: String) -> [String]? {
        guard let value = values[key] else {
            note(key, "The key is missing.")
            return nil
        }
        guard case .array(let elements) = value else {
            note(key, "It has to be an array of strings, and is \(value.kind).")
            return nil
        }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element else {
                note(key, "It has to be an array of strings, and has \(element.kind) in it.")
                return nil
            }
            texts.append(text)
        }
        return texts
    }

    // MARK: - What a task says

    /// Looks at the words of a task; what they lead to is looked at when it runs.
    mutating func check(_ task: CleanUpTask) {
        name = task.name
        switch task.work {
        case .remove(let path, let entries):
            if let why = Self.flaw(ofPath: path) { note("Path", why) }
            guard let entries else { return }
            if entries.isEmpty {
                note("Entries", "The array is empty. Leave it out to empty the directory.")
            }
            for entry in entries {
                if let why = Self.flaw(ofEntry: entry) { note("Entries", why) }
            }
        case .call(let name, let selectors):
            if name.isEmpty {
                note("Class", "It is empty. Name what an action is registered under.")
            }
            if selectors.isEmpty || selectors.contains("") {
                note("Selectors", "There is none, or an empty one. Name registered actions.")
            }
            if Set(selectors).count != selectors.count {
                note("Selectors", "One of them is there twice. Leave one of them.")
            }
        }
    }

    private static func flaw(ofPath path: String) -> String? {
        if path.isEmpty { return "It is empty. Write a path relative to the container." }
        if path.utf8.contains(0) { return "It contains a NUL." }
        if path.hasPrefix("/") {
            return "It is absolute. Write it relative to the container, as Library/Caches/Maps."
        }
        if path.hasPrefix("~") {
            return "“~” is not replaced. Write the path relative to the container."
        }
        let parts = path.split(separator: "/")
        if parts.contains("..") { return "“..” leads out of the container. Leave it out." }
        if parts.contains(".") { return "“.” is no directory in the container. Leave it out." }
        if path.contains("*") {
            return
                "“*” stands for itself in a path. Name the directory, and put the names in Entries."
        }
        if path.utf8.count > 4096 || parts.contains(where: { $0.utf8.count > 255 }) {
            return "It is longer than a path can be."
        }
        return nil
    }

    private static func flaw(ofEntry entry: String) -> String? {
        if entry.isEmpty { return "One of them is empty." }
        if entry.utf8.contains(0) { return "\(entry.quotedForPeople) contains a NUL." }
        if entry.utf8.contains(UInt8(ascii: "/")) {
            return
                "\(entry.quotedForPeople) is a path. Entries are names of direct children: make a task "
                + "of its own for the directory they are in."
        }
        if entry == "." || entry == ".." {
            return "\(entry.quotedForPeople) is no child of the directory."
        }
        if entry.utf8.count > 1024 { return "One of them is longer than a name can be." }
        return nil
    }

    private mutating func note(_ key: String?, _ text: String) {
        problems.append(
            CleanUpTaskProblem(
                task: number, name: name, key: key, reason: Reason(.invalidTask, text)))
    }
}
