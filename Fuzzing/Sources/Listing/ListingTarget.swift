//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine

/// Listings of ncdu and gdu, in parts of several sizes: where the input is cut must not matter.
struct ListingTarget: FuzzTarget {
    static let name = "listing"

    func run(_ bytes: [UInt8]) {
        let whole = read(bytes, by: max(1, bytes.count))
        require(
            read(bytes, by: 7) == whole, "a listing reads otherwise in parts of 7 bytes")
    }

    /// - Returns: how many events there are, how deep they lead, and how it ends.
    private func read(_ bytes: [UInt8], by size: Int) -> [String] {
        var rest = bytes[...]
        var events = 0
        var depth = 0
        do {
            let limits = NcduReader.Limits(depth: 1_000, nameLength: 4_096)
            var reader = try NcduReader(limits: limits) {
                defer { rest = rest.dropFirst(size) }
                return Array(rest.prefix(size))
            }
            while let event = try reader.next() {
                events += 1
                switch event {
                case .beginDirectory: depth += 1
                case .endDirectory: depth -= 1
                case .file: break
                }
                require((0...1_000).contains(depth), "directories lie \(depth) deep")
            }
            require(depth == 0, "a listing ends inside of a directory")
            return ["\(events)", "whole"]
        } catch {
            return ["\(events)", "\(error)"]
        }
    }
}
