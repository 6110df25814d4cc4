//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom

/// The command line cannot be understood.
struct UsageError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// The words of a command line, taken one after another.
struct Arguments {
    private var words: [String]

    init(_ words: some Sequence<String>) {
        self.words = Array(words)
    }

    var isEmpty: Bool { words.isEmpty }

    mutating func next(_ what: String) throws -> String {
        guard !words.isEmpty else { throw UsageError("Say \(what).") }
        return words.removeFirst()
    }

    /// Takes a flag, wherever it stands.
    mutating func flag(_ name: String) -> Bool {
        guard let index = words.firstIndex(of: name) else { return false }
        words.remove(at: index)
        return true
    }

    mutating func option(_ name: String) throws -> String? {
        guard let index = words.firstIndex(of: name) else { return nil }
        guard index + 1 < words.count else { throw UsageError("\(name) needs a value.") }
        words.remove(at: index)
        return words.remove(at: index)
    }

    mutating func number() throws -> Int {
        let word = try next("the number of an episode")
        guard let number = Int(word) else { throw UsageError("“\(word)” is no number.") }
        return number
    }

    mutating func url() throws -> URL {
        let word = try next("the address of a feed")
        guard let url = URL(string: word), url.scheme != nil else {
            throw UsageError("“\(word)” is no address.")
        }
        return url
    }

    mutating func file() throws -> URL { URL(filePath: try next("a file")) }

    /// `500MB`, `1.5GB`.
    mutating func size() throws -> ByteCount {
        try ByteCount(parsing: try next("a size"))
    }
}
