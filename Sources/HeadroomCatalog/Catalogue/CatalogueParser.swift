//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import SystemPackage

extension Catalogue {
    /// Reads entries.
    ///
    ///     # pip keeps its own small files, such as selfcheck/, there as well.
    ///     [pip]
    ///     name       = pip
    ///     what       = Packages and answers of package indexes that pip downloaded
    ///     path       = $XDG_CACHE_HOME/pip
    ///     path.macos = ~/Library/Caches/pip
    ///     clean      = pip cache purge
    ///     cost       = Packages are downloaded again when they are next installed
    ///     source     = https://pip.pypa.io/en/stable/topics/caching/
    ///
    /// The section is the id: small letters, digits, `-` and `.`. `name`, `what`, `path`, `cost` and
    /// `source` must be there; `path` may be there several times, and with `.linux` or `.macos` holds on
    /// that system alone. The rest:
    ///
    /// | key | values | if it is missing |
    /// |---|---|---|
    /// | `class` | `temporary`, `cache`, `lastResort`, `essential` | `cache` |
    /// | `unit` | `file`, `entry`, `directory`, see `PurgeUnit` | `file` |
    /// | `scope` | `user`, `system` | `user` |
    /// | `clean` | a command, its words parted by spaces | none |
    /// | `by` | `files`, `either`, `command` | `either` with a command, else `files` |
    /// | `importance` | 0…100 | 50 |
    /// | `clones` | `yes`: Git repositories in it are clones that the tool creates again; `no` | `no` |
    /// | `shape` | names that only the tool creates; needed for a `path` at its own variable | – |
    /// | `requires` | names, of which one must exist in the directory wherever it is | – |
    /// | `lock` | the tool's lock files: relative to the directory, also `../FILE`, or absolute | – |
    /// | `protect` | essential content of the directory, relative to it | – |
    ///
    /// A directory at a tool's own variable counts only if it has a name of `shape`, and all other names in it are
    /// essential. If `shape` has names that lead up (`../settings.toml`), one of them must exist as well. A rule of
    /// class `essential` needs no shape. The last four are lists: names separated by spaces (`\ ` is a space in a
    /// name), in one line or several. Names may be patterns, also of several parts: `*/LocalHistory`. A number in
    /// braces repeats a bracket: `[0-9a-f]{64}`.
    ///
    /// - Parameter origin: the file it was read from, for messages.
    /// - Throws: `HeadroomError` `invalid`, with the line, the key and what is wrong with it.
    public init(parsing text: String, origin: String?) throws(HeadroomError) {
        var entries: [CatalogueEntry] = []
        var section: CatalogueSection?
        // By bytes, not characters: every command reads the whole catalog.
        let lines = text.utf8.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            let line = Substring(line).trimmingSpaces
            guard let first = line.utf8.first, first != UInt8(ascii: "#"),
                first != UInt8(ascii: ";")
            else { continue }
            let place = CatalogueSection.Line(number: number + 1, origin: origin)
            if first == UInt8(ascii: "[") {
                if let section { entries.append(try section.entry()) }
                section = try CatalogueSection(header: line, place)
            } else {
                guard section != nil else {
                    throw place.wrong("it stands before the first [id]")
                }
                try section?.read(line, place)
            }
        }
        if let section { entries.append(try section.entry()) }
        var ids: Set<String> = []
        for entry in entries where !ids.insert(entry.id).inserted {
            throw HeadroomError(
                .invalid,
                "\(origin ?? "The catalogue") has two entries [\(entry.id)]. Give one another id.")
        }
        self.init(entries)
    }
}

/// One section of a catalogue, as it is being read.
private struct CatalogueSection {
    struct Line {
        var number: Int
        var origin: String?

        func wrong(_ what: String) -> HeadroomError {
            let place = origin.map { "Line \(number) of \($0)" } ?? "Line \(number)"
            return HeadroomError(
                .invalid, "\(place) cannot be read: \(what). See headroom catalogue --help.")
        }
    }

    private let id: String
    private let header: Line
    private var values: [String: (text: String, line: Line)] = [:]
    private var places: [(place: CataloguePlace, line: Line)] = []
    private var lists: [String: [String]] = [:]

    private static let listKeys: Set<String> = ["shape", "requires", "lock", "protect"]
    private static let keys: Set<String> = [
        "name", "what", "class", "unit", "scope", "clean", "by", "cost", "source", "importance",
        "clones",
    ]

    init(header text: Substring, _ line: Line) throws(HeadroomError) {
        guard text.last == "]" else { throw line.wrong("the [id] has no end") }
        id = String(text.dropFirst().dropLast())
        guard !id.isEmpty, id.utf8.allSatisfy(Self.isPartOfID), id.first != "-", id.first != "."
        else {
            throw line.wrong("“\(id)” is no id; it has small letters, digits, “-” and “.”")
        }
        header = line
    }

    private static func isPartOfID(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    mutating func read(_ text: Substring, _ line: Line) throws(HeadroomError) {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            throw line.wrong("it is neither “key = value” nor [id]")
        }
        let key = String(text[..<equals].trimmingSpaces)
        let value = String(text[text.utf8.index(after: equals)...].trimmingSpaces)
        guard !value.isEmpty else { throw line.wrong("“\(key)” has no value") }
        if key == "path" || key.hasPrefix("path.") {
            return places.append((try Self.place(key, value, line), line))
        }
        if Self.listKeys.contains(key) {
            for word in CataloguePattern.words(value) {
                try Self.check(word, of: key, line)
                lists[key, default: []].append(word)
            }
            return
        }
        guard Self.keys.contains(key) else { throw line.wrong("there is no key “\(key)”") }
        guard values[key] == nil else {
            throw line.wrong("“\(key)” stands a second time in [\(id)]")
        }
        values[key] = (value, line)
    }

    /// Checks one value of a list.
    private static func check(_ word: String, of key: String, _ line: Line) throws(HeadroomError) {
        if key == "lock", word.hasPrefix("/") {
            guard CataloguePattern(String(word.dropFirst()))?.literal(from: "/") != nil else {
                throw line.wrong("“\(word)” is not a value of “lock”: write the path of one file")
            }
            return
        }
        guard let pattern = CataloguePattern(word), key != "protect" || pattern.levelsUp == 0
        else {
            throw line.wrong(
                key == "protect"
                    ? "“\(word)” does not lie in the directory: “protect” has names in it, without “..”"
                    : "“\(word)” is not a value of “\(key)”: write a name, or a path relative to the "
                        + "directory, with “..” only at its beginning")
        }
    }

    private static func place(
        _ key: String, _ value: String, _ line: Line
    ) throws(HeadroomError) -> CataloguePlace {
        var platforms = Set(CataloguePlace.Platform.allCases)
        if key != "path" {
            guard let platform = CataloguePlace.Platform(rawValue: String(key.dropFirst(5))) else {
                throw line.wrong("“\(key)” is neither path, path.linux nor path.macos")
            }
            platforms = [platform]
        }
        guard let place = CataloguePlace(value, platforms: platforms) else {
            throw line.wrong(
                "“\(value)” is no place of a cache: write a path below ~, $VARIABLE or a directory "
                    + "of the system, without “..”")
        }
        return place
    }

    func entry() throws(HeadroomError) -> CatalogueEntry {
        let name = try text("name")
        let summary = try text("what")
        let cost = try text("cost")
        let source = try text("source")
        guard !places.isEmpty else { throw header.wrong("[\(id)] has no path") }
        let command = (values["clean"]?.text ?? "").split(separator: " ").map(String.init)
        let cleaning: CatalogueEntry.Cleaning =
            try word("by", or: command.isEmpty ? .files : .either) { .init(rawValue: $0) }
        guard cleaning == .files || !command.isEmpty else {
            throw header.wrong("[\(id)] is to be cleaned by a command, and “clean” names none")
        }
        let purgeClass = try word("class", or: .cache) { PurgeClass(name: $0) }
        if purgeClass != .essential, lists["shape"] == nil,
            let (place, line) = places.first(where: { $0.place.variable != nil })
        {
            throw line.wrong(
                "“\(place.text)” starts with a variable, but [\(id)] has no “shape”: write the names that "
                    + "only this tool creates there. Otherwise the variable could turn any directory into "
                    + "a cache")
        }
        var entry = CatalogueEntry(
            id: id, name: name, summary: summary, places: places.map(\.place),
            purgeClass: purgeClass,
            unit: try word("unit", or: .file) { PurgeUnit(catalogueName: $0) },
            scope: try word("scope", or: .user) { .init(rawValue: $0) }, cleaning: cleaning,
            command: command, cost: cost, source: source,
            importance: try word("importance", or: Area.defaultImportance) { text in
                UInt8(text).flatMap { $0 <= 100 ? $0 : nil }
            }, origin: header.origin)
        entry.shape = lists["shape", default: []]
        entry.requires = lists["requires", default: []]
        entry.locks = lists["lock", default: []]
        entry.protects = lists["protect", default: []]
        entry.holdsClones = try word("clones", or: false) { text in
            switch text {
            case "yes": true
            case "no": false
            default: nil
            }
        }
        return entry
    }

    private func text(_ key: String) throws(HeadroomError) -> String {
        guard let value = values[key] else { throw header.wrong("[\(id)] has no “\(key)”") }
        return value.text
    }

    private func word<T>(
        _ key: String, or standard: T, _ read: (String) -> T?
    ) throws(HeadroomError) -> T {
        guard let value = values[key] else { return standard }
        guard let read = read(value.text) else {
            throw value.line.wrong("“\(value.text)” is not a value of “\(key)”")
        }
        return read
    }
}

extension PurgeUnit {
    fileprivate init?(catalogueName: String) {
        switch catalogueName {
        case "file": self = .file
        case "entry": self = .entry
        case "directory": self = .directory
        default: return nil
        }
    }
}

extension Substring {
    /// Without the spaces and tabs around it.
    fileprivate var trimmingSpaces: Substring {
        var bytes = utf8
        while let last = bytes.last, Self.isSpace(last) { bytes.removeLast() }
        return Substring(bytes.drop(while: Self.isSpace))
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }
}
