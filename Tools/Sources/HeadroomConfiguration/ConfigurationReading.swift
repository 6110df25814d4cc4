//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SystemPackage

/// The reading of one file: what is wrong in it, and where each value stands.
///
/// Used by one thread while the file is read.
final class ConfigurationReading {
    let file: ConfigurationFile
    let places: ConfigurationPlaces
    private(set) var problems: [ConfigurationProblem] = []
    /// The place of each value that was read, by its key.
    private(set) var locations: [String: ConfigurationLocation] = [:]

    init(_ file: ConfigurationFile, _ places: ConfigurationPlaces) {
        self.file = file
        self.places = places
    }

    func record(_ problem: ConfigurationProblem) { problems.append(problem) }

    func refuse(_ value: ConfigurationValue, _ error: ConfigurationValueError) {
        refuse(value.key, line: value.line, error)
    }

    func refuse(_ key: String, line: Int, _ error: ConfigurationValueError) {
        problems.append(
            ConfigurationProblem(
                file: file.path, line: line, key: key, what: error.what, advice: error.advice))
    }

    func location(of value: ConfigurationValue) -> ConfigurationLocation {
        ConfigurationLocation(file: file.path, line: value.line, key: value.key)
    }

    func remember(_ value: ConfigurationValue) { locations[value.key] = location(of: value) }
}

/// A value in a file, not looked at yet.
struct ConfigurationValue {
    /// The way to it from the top: `areas[0].limit`.
    var key: String
    /// Of its key in a mapping, or of itself in a list.
    var line: Int
    var node: YAMLNode

    /// The text of a scalar that is not empty, of whatever YAML takes it for.
    ///
    /// - Throws: if it is a list or a mapping, empty, or has a tag or control characters.
    func text() throws(ConfigurationValueError) -> String {
        guard case .scalar(let text, let isPlain) = node.content else {
            throw .init(
                "it is \(kind), where one value is wanted", "Write the value behind the colon.")
        }
        try checkTag()
        guard !text.isEmpty, !(isPlain && ["~", "null"].contains(text)) else {
            throw .init("it has no value", "Write one behind the colon, or take the key out.")
        }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else {
            throw .init("there are control characters in it", "Write it on one line without them.")
        }
        return text
    }

    /// The elements of a list.
    func elements() throws(ConfigurationValueError) -> [ConfigurationValue] {
        guard case .sequence(let sequence) = node.content else {
            throw .init(
                "it is \(kind), where a list is wanted",
                "Write a list: each element on a line of its own behind “- ”, or [a, b].")
        }
        try checkTag()
        return sequence.enumerated().map { index, node in
            ConfigurationValue(key: "\(key)[\(index)]", line: node.line, node: node)
        }
    }

    /// The members of a mapping, in their order.
    func members() throws(ConfigurationValueError) -> [(name: String, value: ConfigurationValue)] {
        guard case .mapping(let mapping) = node.content else {
            throw .init(
                "it is \(kind), where keys with values are wanted",
                "Write each key on a line of its own below, indented, with its value behind a colon."
            )
        }
        try checkTag()
        var members: [(name: String, value: ConfigurationValue)] = []
        for (name, node) in mapping {
            guard let text = name.text else {
                throw .init("a list or a mapping is used as a key", "Write a word as the key.")
            }
            let path =
                !Self.isWord(text)
                ? "\(key)[\"\(text)\"]" : key.isEmpty ? text : "\(key).\(text)"
            members.append((text, ConfigurationValue(key: path, line: name.line, node: node)))
        }
        return members
    }

    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }

    var isMapping: Bool { if case .mapping = node.content { true } else { false } }
    var isList: Bool { if case .sequence = node.content { true } else { false } }

    private var kind: String {
        switch node.content {
        case .scalar(let text, _): text.isEmpty ? "empty" : "one value"
        case .mapping: "a set of keys"
        case .sequence: "a list"
        }
    }

    /// `!!binary`, `!secret` and their like are for other programs; a value says what it is by its form.
    private func checkTag() throws(ConfigurationValueError) {
        let known = [
            "!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq",
        ]
        if let tag = node.tag, !known.contains(tag) {
            throw .init("it has a tag (a word with “!” in front)", "Take the tag out.")
        }
    }
}
