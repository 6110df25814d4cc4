//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
package import HeadroomRequests
import Hummingbird

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Answers as they go out.
enum APIAnswer {
    /// No answer is larger.
    static let limit = 1 << 20

    static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes(of: value))))
    }

    /// On one line, members in the order of their names.
    static func bytes(of value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings, numbers and lists of them: there is nothing in it that cannot be encoded.
        guard let data = try? encoder.encode(value) else { return Array("{}".utf8) }
        return Array(data)
    }

    static let nothing = Response(status: .noContent)
}

/// How much still fits into an answer.
///
/// Names may be long, and many: a list ends where the next element might not fit, with a cursor for the
/// rest.
package struct AnswerBudget {
    private var left: Int

    init(_ bytes: Int = 900_000) { left = bytes }

    /// Takes an element's share.
    ///
    /// - Returns: false: it does not fit any more.
    mutating func admits(_ cost: Int) -> Bool {
        guard cost <= left else { return false }
        left -= cost
        return true
    }

    /// What some text comes to at most, in JSON.
    static func cost(_ text: String) -> Int {
        text.utf8.reduce(2) {
            $0 + ($1 < 0x20 || $1 == 0x7F ? 6 : $1 == 0x22 || $1 == 0x5C ? 2 : 1)
        }
    }

    package static func cost(_ path: PathText) -> Int {
        cost(path.text) + (path.encoded.map { $0.utf8.count + 20 } ?? 0)
    }
}
