//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
package import SystemPackage

/// The parameters of a request, as they stand behind the question mark of its address.
package struct RequestQuery: Sendable {
    private let parameters: [String: [UInt8]]

    /// - Parameter names: those that are known.
    package init(_ text: String, names: Set<String>) throws(APIError) {
        var parameters: [String: [UInt8]] = [:]
        for part in text.split(separator: "&") {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let encoded: Substring = sides.count > 1 ? sides[1] : ""
            guard let nameBytes = PercentEncoding.decoded(sides[0].utf8, plusIsSpace: true),
                let value = PercentEncoding.decoded(encoded.utf8, plusIsSpace: true)
            else { throw .bad("The query is not percent-encoded as it should be.") }
            let name = String(decoding: nameBytes, as: UTF8.self)
            guard names.contains(name) else {
                throw .bad("The parameter “\(name.prefix(80))” is not known.")
            }
            guard parameters.updateValue(value, forKey: name) == nil else {
                throw .bad("The parameter “\(name)” stands twice.")
            }
        }
        self.parameters = parameters
    }

    package func text(_ name: String, limit: Int = 400) throws(APIError) -> String? {
        guard let bytes = parameters[name] else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty,
            text.unicodeScalars.count <= limit
        else { throw .bad("The parameter “\(name)” is no text of at most \(limit) characters.") }
        return text
    }

    package func integer(
        _ name: String, _ range: ClosedRange<Int>, default usual: Int
    ) throws(APIError) -> Int {
        guard let bytes = parameters[name] else { return usual }
        guard let text = String(validating: bytes, as: UTF8.self),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text),
            range.contains(value)
        else {
            throw .bad(
                "The parameter “\(name)” is not a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound).")
        }
        return value
    }

    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, default usual: Choice
    ) throws(APIError) -> Choice {
        guard let bytes = parameters[name] else { return usual }
        guard let choice = Choice(rawValue: String(decoding: bytes, as: UTF8.self)) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw .bad("The parameter “\(name)” is none of: \(known).")
        }
        return choice
    }

    package func has(_ name: String) -> Bool { parameters[name] != nil }

    /// A path in all its bytes.
    package func path(_ name: String) throws(APIError) -> FilePath? {
        guard let bytes = parameters[name] else { return nil }
        return try FilePath(requested: bytes)
    }
}
