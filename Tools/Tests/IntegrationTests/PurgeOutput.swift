//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomTestSupport
import SystemPackage

/// What `purge --json` says, read as any program would.
struct PurgeOutput: Decodable {
    struct Item: Decodable {
        var path: String
        /// Percent-encoded, where the path is not UTF-8.
        var pathBytes: String?
        var bytes: Int64?
        var reason: Reason?
        var planned: Bool?

        /// The path as it is.
        var rawPath: [UInt8] {
            guard let pathBytes else { return Array(path.utf8) }
            var raw: [UInt8] = []
            var rest = Array(pathBytes.utf8)[...]
            while let byte = rest.popFirst() {
                guard byte == UInt8(ascii: "%") else {
                    raw.append(byte)
                    continue
                }
                raw.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            }
            return raw
        }
    }

    struct Reason: Decodable {
        var code: String
        var text: String
    }

    var schema: String
    var removed: [Item]
    var skipped: [Item]
    var expectedBytes: Int64
    var volumeGainedBytes: Int64?
    var completed: Bool
    var outcome: String
    var receipt: String?
    var removedCount: Int
    var emptiedDirectories: Int
    var skippedCount: Int
    var differences: [String]
    var notes: [String]

    init(_ result: ChildResult) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(result.standardOutput))
    }

    /// The codes of what stayed, by path below a directory.
    func skipped(below root: FilePath) -> [[UInt8]: [String]] {
        var codes: [[UInt8]: [String]] = [:]
        let prefix = Array(root.string.utf8) + [0x2F]
        for item in skipped where item.rawPath.starts(with: prefix) {
            codes[Array(item.rawPath.dropFirst(prefix.count)), default: []]
                .append(item.reason?.code ?? "none")
        }
        return codes
    }
}
