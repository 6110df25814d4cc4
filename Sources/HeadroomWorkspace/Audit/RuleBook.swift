//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore

/// Rules by which content that can be had again is recognised: well-known caches, and what apps keep
/// beside the data that cannot be had again.
///
/// Written as text, a rule on each line:
///
///     # topic       scope  pattern             what it is
///     tiles         data   MapTiles/           Map tiles
///     npm           home   .npm/_cacache/      Packages that npm downloaded
///
/// Columns are parted by tabs or at least two spaces. In a pattern, `*` stands for a part of a name,
/// and `/` at its end for a directory; letters match in either case. Words that a line has beyond the
/// fourth column are for later versions.
public struct RuleBook: Hashable, Sendable {
    public var rules: [RecreatableRule]

    public init(_ rules: [RecreatableRule] = []) {
        self.rules = rules
    }

    /// Reads rules.
    ///
    /// - Throws: `HeadroomError` `invalid`, with the line and what is wrong with it.
    public init(parsing text: String) throws(HeadroomError) {
        var rules: [RecreatableRule] = []
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (number, line) in lines.enumerated() {
            let columns = Self.columns(line)
            guard let first = columns.first, !first.hasPrefix("#") else { continue }
            func wrong(_ what: String) -> HeadroomError {
                HeadroomError(
                    .invalid,
                    "Line \(number + 1) of the rules cannot be read: \(what). Write four columns, "
                        + "parted by two spaces: topic, any|home|data, pattern, what it is.")
            }
            guard columns.count >= 4 else { throw wrong("it has \(columns.count) columns") }
            guard let scope = RecreatableRule.Scope(rawValue: columns[1]) else {
                throw wrong("“\(columns[1])” is neither any, home nor data")
            }
            guard
                let rule = RecreatableRule(
                    topic: columns[0], scope: scope, pattern: columns[2], description: columns[3])
            else { throw wrong("“\(columns[2])” is no pattern of names") }
            rules.append(rule)
        }
        self.rules = rules
    }

    /// The rules of both, these first.
    public func adding(_ other: RuleBook) -> RuleBook { RuleBook(rules + other.rules) }

    private static func columns(_ line: Substring) -> [String] {
        var columns: [String] = []
        var current = ""
        var spaces = 0
        for character in line {
            if character == " " || character == "\t" {
                spaces += character == "\t" ? 2 : 1
                continue
            }
            if spaces >= 2, !current.isEmpty {
                columns.append(current)
                current = ""
            } else if spaces == 1, !current.isEmpty {
                current += " "
            }
            spaces = 0
            current.append(character)
        }
        if !current.isEmpty { columns.append(current) }
        return columns
    }
}

/// Finds the rule for a name fast: most names are in no rule.
struct RuleIndex: Sendable {
    let rules: [RecreatableRule]
    private var byName: [[UInt8]: [Int]] = [:]
    private var patterns: [Int] = []
    private var files: [Int] = []

    init(_ book: RuleBook) {
        rules = book.rules
        for (index, rule) in rules.enumerated() {
            guard rule.isDirectory, let last = rule.components.last else {
                files.append(index)
                continue
            }
            if let literal = last.literal {
                byName[literal, default: []].append(index)
            } else {
                patterns.append(index)
            }
        }
    }

    /// The first rule for a directory whose name, in lower case, matches and of which `fits` holds.
    func directoryRule(_ name: [UInt8], where fits: (RecreatableRule) -> Bool) -> Int? {
        if let found = byName[name]?.first(where: { fits(rules[$0]) }) { return found }
        return patterns.first { index in
            rules[index].components.last?.matches(name) == true && fits(rules[index])
        }
    }

    /// The first rule for a file.
    func fileRule(_ name: [UInt8], where fits: (RecreatableRule) -> Bool) -> Int? {
        files.first { index in
            rules[index].components.last?.matches(name) == true && fits(rules[index])
        }
    }
}
