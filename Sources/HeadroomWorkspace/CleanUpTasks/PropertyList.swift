//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A property list as it was written: keys in their order, also those that are there twice.
///
/// Read by our own parsers: what comes with the system drops a key that is there twice, follows any
/// depth until the stack ends, and does not say where it gave up.
indirect enum PropertyList: Hashable, Sendable {
    case string(String)
    case array([PropertyList])
    case dictionary([Pair])
    /// What a list of tasks has no use for, by what people call it.
    case other(String)

    struct Pair: Hashable, Sendable {
        var key: String
        var value: PropertyList
    }

    /// Why the bytes are no property list, as the end of a sentence.
    struct Failure: Error, Hashable {
        var why: String

        init(_ why: String) {
            self.why = why
        }
    }

    /// Deeper ones are refused, so that nesting never costs stack: tasks need four levels.
    static let depthLimit = 16
    /// More values are refused: a binary list may name one value any number of times.
    static let valueLimit = 200_000

    /// Reads a property list in XML or the binary form.
    init(_ bytes: [UInt8]) throws(Failure) {
        if bytes.starts(with: Array("bplist".utf8)) {
            self = try BinaryPropertyListParser.parse(bytes)
        } else {
            self = try XMLPropertyListParser.parse(bytes)
        }
    }

    /// What it is, as it stands in a sentence.
    var kind: String {
        switch self {
        case .string: "a string"
        case .array: "an array"
        case .dictionary: "a dictionary"
        case .other(let name): name
        }
    }
}
