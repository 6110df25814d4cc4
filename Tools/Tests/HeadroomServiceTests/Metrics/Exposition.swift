//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing

/// A strict reader of the text form of metrics: what it takes, every reader does.
struct Exposition {
    struct Sample: Hashable {
        var name: String
        var labels: [String: String]
        var value: Double
    }

    private(set) var samples: [Sample] = []
    private(set) var types: [String: String] = [:]

    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        samples.first { sample in
            sample.name == name && labels.allSatisfy { sample.labels[$0.key] == $0.value }
        }?.value
    }

    /// - Parameter isOpen: OpenMetrics, else the older form.
    init(_ text: String, isOpen: Bool) throws {
        try #require(text.hasSuffix("\n"))
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        if isOpen {
            try #require(lines.last == "# EOF")
            lines = lines.dropLast()
        }
        var family = ""
        var helped: Set<String> = []
        var seen: Set<[String]> = []
        var families: Set<String> = []
        for line in lines {
            try #require(!line.isEmpty)
            if line.hasPrefix("# ") {
                let words = line.split(separator: " ", maxSplits: 3).map(String.init)
                try #require(words.count == 4, "\(line)")
                if words[1] == "TYPE" {
                    try #require(types.updateValue(words[3], forKey: words[2]) == nil, "\(line)")
                } else if words[1] == "UNIT" {
                    try #require(isOpen && words[2].hasSuffix("_" + words[3]), "\(line)")
                } else {
                    try #require(words[1] == "HELP" && helped.insert(words[2]).inserted, "\(line)")
                }
                // A family stands in one piece.
                if words[2] != family { try #require(!families.contains(words[2]), "\(line)") }
                family = words[2]
                families.insert(family)
                continue
            }
            let sample = try Self.sample(line)
            let type = try #require(types[family], "\(line)")
            try #require(helped.contains(family))
            let endings =
                type == "histogram"
                ? ["_bucket", "_sum", "_count"] : type == "counter" && isOpen ? ["_total"] : [""]
            try #require(endings.contains { family + $0 == sample.name }, "\(line)")
            if type == "counter" {
                try #require(sample.name.hasSuffix("_total") && sample.value >= 0)
            }
            let key =
                [sample.name]
                + sample.labels.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
            try #require(seen.insert(key).inserted, "twice: \(line)")
            samples.append(sample)
        }
    }

    private static func sample(_ line: Substring) throws -> Sample {
        var rest = line
        let name = String(rest.prefix { $0.isLetter || $0 == "_" })
        try #require(name.hasPrefix("headroom_") && name.utf8.allSatisfy { $0 < 0x80 }, "\(line)")
        rest = rest.dropFirst(name.count)
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest = rest.dropFirst()
            while rest.first != "}" {
                let key = String(rest.prefix { $0.isLetter || $0 == "_" })
                rest = rest.dropFirst(key.count)
                try #require(!key.isEmpty && rest.hasPrefix("=\""), "\(line)")
                rest = rest.dropFirst(2)
                var value = ""
                while let character = rest.popFirst(), character != "\"" {
                    guard character == "\\" else {
                        value.append(character)
                        continue
                    }
                    let escaped = rest.popFirst()
                    let meaning: [Character: Character] = ["\\": "\\", "\"": "\"", "n": "\n"]
                    value.append(try #require(escaped.flatMap { meaning[$0] }, "\(line)"))
                }
                try #require(labels.updateValue(value, forKey: key) == nil, "\(line)")
                if rest.first == "," {
                    rest = rest.dropFirst()
                    try #require(rest.first != "}", "\(line)")
                }
            }
            rest = rest.dropFirst()
        }
        try #require(rest.first == " ", "\(line)")
        let number = rest.dropFirst()
        let value = number == "+Inf" ? Double.infinity : try #require(Double(number), "\(line)")
        return Sample(name: name, labels: labels, value: value)
    }
}
