//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A request's body, before it is known to be what is expected.
package enum JSONValue: Hashable, Sendable {
    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])
}

/// An object of which every member is asked for by name; one that is not known is a mistake.
package struct JSONMembers {
    private var members: [String: JSONValue]
    private let place: String

    package init(_ value: JSONValue, _ place: String) throws(APIError) {
        guard case .object(let members) = value else {
            throw .bad("\(place) is not an object.")
        }
        self.members = members
        self.place = place
    }

    package func has(_ name: String) -> Bool { members[name] != nil }

    /// After all were taken.
    package func finish() throws(APIError) {
        if let name = members.keys.min() {
            throw .bad("\(place) has a member “\(name.prefix(80))” that is not known.")
        }
    }

    package mutating func value(_ name: String) -> JSONValue? { members.removeValue(forKey: name) }

    package mutating func text(_ name: String, limit: Int = 12_288) throws(APIError) -> String? {
        guard let value = value(name) else { return nil }
        guard case .text(let text) = value, text.unicodeScalars.count <= limit else {
            throw .bad("\(place): “\(name)” is not a text of at most \(limit) characters.")
        }
        return text
    }

    package mutating func flag(_ name: String) throws(APIError) -> Bool? {
        guard let value = value(name) else { return nil }
        guard case .flag(let flag) = value else {
            throw .bad("\(place): “\(name)” is not true or false.")
        }
        return flag
    }

    package mutating func integer(
        _ name: String, _ range: ClosedRange<Int64>
    ) throws(APIError) -> Int64? {
        guard let value = value(name) else { return nil }
        guard case .integer(let integer) = value, range.contains(integer) else {
            throw .bad(
                "\(place): “\(name)” is not a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound).")
        }
        return integer
    }

    package mutating func integers(_ name: String, limit: Int) throws(APIError) -> Set<Int> {
        guard let value = value(name) else { return [] }
        guard case .list(let list) = value, list.count <= limit else {
            throw .bad("\(place): “\(name)” is not a list of at most \(limit) whole numbers.")
        }
        var numbers: Set<Int> = []
        for element in list {
            guard case .integer(let number) = element, number >= 0 else {
                throw .bad("\(place): “\(name)” has something else than whole numbers.")
            }
            guard numbers.insert(Int(clamping: number)).inserted else {
                throw .bad("\(place): “\(name)” has \(number) twice.")
            }
        }
        return numbers
    }

    /// What must be there.
    package func needed<Value>(_ name: String, _ value: Value?) throws(APIError) -> Value {
        guard let value else { throw .bad("\(place) has no “\(name)”.") }
        return value
    }
}
