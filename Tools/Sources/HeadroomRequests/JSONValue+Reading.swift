//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine

extension JSONValue {
    /// No request needs half of it.
    private static let nestingLimit = 16

    /// Reads the body of a request.
    ///
    /// Stricter than most decoders: an object with two members of the same name is rejected, since nobody knows which of them the
    /// client meant. The cost grows with the length alone.
    package init(_ bytes: [UInt8]) throws(APIError) {
        var json = JSONTokenizer(bytes)
        do throws(HeadroomError) {
            self = try Self.value(&json, depth: 0)
            try json.expectEnd()
        } catch {
            throw .bad("The body is not valid JSON: \(error.message)")
        }
    }

    private static func value(
        _ json: inout JSONTokenizer, depth: Int
    ) throws(HeadroomError) -> JSONValue {
        guard depth < nestingLimit else { throw json.error("Too deeply nested") }
        switch try json.peekToken() {
        case UInt8(ascii: "{"): return .object(try members(&json, depth: depth + 1))
        case UInt8(ascii: "["):
            var elements: [JSONValue] = []
            try json.array("a list") { json throws(HeadroomError) in
                elements.append(try value(&json, depth: depth + 1))
            }
            return .list(elements)
        case UInt8(ascii: "\""): return .text(try json.text(limit: .max, "a text"))
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .flag(try json.boolean("a flag"))
        case UInt8(ascii: "n"):
            guard try json.word() == Array("null".utf8) else {
                throw json.error("Expected a value")
            }
            return .null
        default: return try number(&json)
        }
    }

    private static func members(
        _ json: inout JSONTokenizer, depth: Int
    ) throws(HeadroomError) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        try json.expect("{", "an object")
        while let name = try json.nextKey() {
            let value = try value(&json, depth: depth)
            guard members.updateValue(value, forKey: name) == nil else {
                throw json.error("The member “\(name.prefix(80))” comes twice")
            }
        }
        return members
    }

    private static func number(_ json: inout JSONTokenizer) throws(HeadroomError) -> JSONValue {
        let digits = try json.number("a value")
        if let integer = Int64(digits) { return .integer(integer) }
        guard let number = Double(digits), number.isFinite else {
            throw json.error("A number is too large")
        }
        return Int64(exactly: number).map { .integer($0) } ?? .number(number)
    }
}
