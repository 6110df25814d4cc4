//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a server says that it sends: `bytes 100-199/500`.
struct ContentRange: Hashable {
    var range: ClosedRange<Int64>
    /// The length of the whole; nil where it is `*`.
    var total: Int64?

    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]), first >= 0,
            last >= first
        else { return nil }
        range = first...last
        if parts[1] != "*" {
            guard let value = Int64(parts[1]), value > last else { return nil }
            total = value
        }
    }
}
