//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomFuzzTargets
import HeadroomPlatform
import HeadroomRequests
import SystemPackage

/// What stands in a request to the daemon; the first byte says which part of one the others are.
struct RequestsTarget: FuzzTarget {
    static let name = "requests"

    private enum Choice: String, CaseIterable { case order, bytes }

    func run(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        switch first % 4 {
        case 0: query(rest)
        case 1: body(rest)
        case 2: plan(rest)
        default: path(rest)
        }
    }

    /// Behind the question mark of an address.
    private func query(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let names: Set = ["path", "limit", "cursor", "sort"]
        guard let query = try? RequestQuery(text, names: names) else { return }
        if let path = try? query.path("path") { check(path) }
        if let limit = try? query.integer("limit", 1...4_000, default: 500) {
            require((1...4_000).contains(limit), "a limit of \(limit)")
        }
        if let cursor = try? query.text("cursor", limit: 40) {
            require(
                query.has("cursor") && !cursor.isEmpty && cursor.unicodeScalars.count <= 40,
                "a cursor of \(cursor)")
        }
        _ = try? query.choice("sort", default: Choice.order)
    }

    private func body(_ bytes: [UInt8]) {
        guard (try? JSONValue(bytes)) != nil else { return }
        // Whatever is read is JSON to others as well.
        let isJSON =
            (try? JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed]))
            != nil
        require(isJSON, "it is no JSON to Foundation")
    }

    private func plan(_ bytes: [UInt8]) {
        guard let value = try? JSONValue(bytes),
            let members = try? JSONMembers(value, "The body"),
            let plan = try? WantedPlan(members)
        else { return }
        require(!plan.description.isEmpty, "a plan without words")
        if let volume = plan.volume { check(volume) }
    }

    private func path(_ bytes: [UInt8]) {
        let encoded = PercentEncoding.encoded(bytes)
        require(PercentEncoding.decoded(encoded.utf8) == bytes, "encoded and decoded it is another")
        let text = PathText(bytes: bytes)
        require(
            text.encoded != nil || Array(text.text.utf8) == bytes,
            "a name that does not say its bytes")
        guard let path = try? FilePath(requested: bytes) else { return }
        check(path)
        let wanted =
            bytes.count > 1 && bytes.last == UInt8(ascii: "/") ? bytes.dropLast() : bytes[...]
        require(path.bytes == Array(wanted), "it is not what was asked for: \(path)")
    }

    private func check(_ path: FilePath) {
        require(path.isAbsolute, "a path that is not whole: \(path)")
        require(
            !path.components.contains { $0.kind != .regular }, "a path that goes upwards: \(path)")
        require(path.bytes.count <= PathText.longest, "a path that is too long")
    }
}
