//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform

/// The index of a cache store: the bytes as they are, and records of any content with checksums that are
/// right.
struct CacheStoreTarget: FuzzTarget {
    static let name = "cache-store"
    private let scratch: Scratch

    init() throws { scratch = try Scratch(Self.name) }

    func run(_ bytes: [UInt8]) {
        read(LogMaker(bytes, kind: 0x4349_4458).bytes)
        read(bytes)
    }

    private func read(_ bytes: [UInt8]) {
        do {
            try scratch.write(bytes, to: "index.log")
        } catch {
            require(false, "the scratch directory: \(error)")
        }
        _ = try? CacheInspection(
            of: scratch.path, verifying: true, now: Timestamp(seconds: 1_800_000_000))
    }
}
