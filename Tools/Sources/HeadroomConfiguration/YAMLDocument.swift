//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SystemPackage

/// Reads YAML of which the author is not trusted to be careful: no anchors and aliases, which make
/// bombs; no depths that overflow a stack; and each error with its line.
enum YAMLDocument {
    /// No value of a configuration lies deeper than in five levels.
    private static let depthLimit = 40
    private static let indentationLimit = 200

    /// - Returns: nil if there is nothing in it but comments.
    /// - Throws: ``ConfigurationProblem``, the first.
    static func read(
        _ file: ConfigurationFile
    ) throws(ConfigurationProblem) -> ConfigurationValue? {
        try checkForm(file)
        do {
            guard let root = try YAMLNode.document(in: file.text) else { return nil }
            if root.text?.isEmpty == true { return nil }
            return ConfigurationValue(key: "", line: root.line, node: root)
        } catch {
            throw problem(error, file)
        }
    }

    // MARK: - Before parsing

    /// Refuses what the parser would choke on, by the bytes alone: rather too much than too little.
    private static func checkForm(_ file: ConfigurationFile) throws(ConfigurationProblem) {
        var depth = 0
        for (index, line) in lines(file.text).enumerated() {
            let bytes = Array(line.utf8)
            let indentation = bytes.prefix { $0 == 0x20 || $0 == 0x2D || $0 == 0x3F || $0 == 0x09 }
            // `- - -` nests as well.
            guard indentation.count <= indentationLimit,
                indentation.count(where: { $0 == 0x2D || $0 == 0x3F }) <= depthLimit
                    || bytes.allSatisfy({ $0 == 0x2D })
            else { throw nested(file, index + 1) }
            if isComment(bytes) { continue }
            for (place, byte) in bytes.enumerated() {
                switch byte {
                case UInt8(ascii: "["), UInt8(ascii: "{"):
                    depth += 1
                    guard depth <= depthLimit else { throw nested(file, index + 1) }
                case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
                case UInt8(ascii: "&"), UInt8(ascii: "*"):
                    let next = place + 1 < bytes.count ? bytes[place + 1] : 0x20
                    let before = place > 0 ? bytes[place - 1] : 0x20
                    guard next > 0x20, [0x09, 0x20, 0x2C, 0x3A, 0x5B, 0x7B].contains(before)
                    else { continue }
                    throw ConfigurationProblem(
                        file: file.path, line: index + 1, key: key(before: index + 1, in: file),
                        what: "“\(Character(Unicode.Scalar(byte)))” stands here before a word, "
                            + "which makes an anchor or an alias; those are not read",
                        advice: "Write the value out where it is meant; in a text, put a space "
                            + "behind the sign.")
                default: break
                }
            }
        }
    }

    private static func isComment(_ line: [UInt8]) -> Bool {
        line.first { $0 != 0x20 } == UInt8(ascii: "#")
    }

    private static func nested(_ file: ConfigurationFile, _ line: Int) -> ConfigurationProblem {
        ConfigurationProblem(
            file: file.path, line: line, key: key(before: line, in: file),
            what: "it is nested too deeply",
            advice: "Nothing in a configuration needs that; see "
                + "headroom config show for the form.")
    }

    // MARK: - The parser's errors

    private static func problem(
        _ error: YAMLError, _ file: ConfigurationFile
    ) -> ConfigurationProblem {
        let (line, what, advice) =
            switch error {
            case .notYAML(let what, let line):
                (
                    line, "it is not YAML: \(what)",
                    "Check the indentation (spaces, no tabs), the colons, and that brackets and quotes "
                        + "are closed; a text with “: ” or “ #” in it needs quotes."
                )
            case .alias(let line):
                (line, "it has an alias", "Write the value out where it is meant.")
            case .secondDocument(let line):
                (
                    line, "it is not one document",
                    "Keep one document in a file: take out “---” between two."
                )
            case .duplicateKey(_, let line):
                (
                    line, "the key stands twice in one place",
                    "Keep one of the two, or put the values of both under it."
                )
            case .notText(let what, let offset):
                (
                    lines(String(decoding: file.text.utf8.prefix(offset), as: UTF8.self)).count,
                    "it cannot be read as text: \(what)", "Take out control characters."
                )
            }
        let key: String? =
            if case .duplicateKey(let name, _) = error { name } else { key(before: line, in: file) }
        return ConfigurationProblem(
            file: file.path, line: line, key: key, what: what, advice: advice)
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: #/\r\n|\n|\r/#, omittingEmptySubsequences: false)
    }

    /// The key that stands last at or before a line: what a person looks for in the file.
    private static func key(before line: Int, in file: ConfigurationFile) -> String? {
        for text in lines(file.text).prefix(line).reversed() {
            if let match = text.firstMatch(of: #/^[\s\-]*"?([A-Za-z][A-Za-z0-9_\-]*)"?\s*:/#) {
                return String(match.1)
            }
        }
        return nil
    }
}
