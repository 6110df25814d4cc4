//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// What volumes gain when files are gone: of a file with several links nothing before the last of them goes.
struct DisposalTally {
    private struct Linked {
        var seen: UInt32
        var all: UInt32
        var bytes: Int64
    }

    private var linked: [FileIdentity: Linked] = [:]
    private var plain: Int64 = 0

    /// - Complexity: O(files with several links).
    var freed: ByteCount {
        let shared = linked.values.reduce(Int64(0)) { $0 &+ ($1.seen >= $1.all ? $1.bytes : 0) }
        return ByteCount(plain &+ shared)
    }

    /// Whether a link of the same file has been counted.
    func knows(_ status: FileStatus) -> Bool {
        Self.hasOthers(status) && linked[status.identity] != nil
    }

    mutating func add(_ status: FileStatus) {
        let bytes = status.allocatedSize.bytes
        guard Self.hasOthers(status) else {
            plain &+= bytes
            return
        }
        add(Linked(seen: 1, all: status.linkCount, bytes: bytes), status.identity)
    }

    /// - Complexity: O(files with several links in the other).
    mutating func add(_ other: DisposalTally) {
        plain &+= other.plain
        for (identity, linked) in other.linked { add(linked, identity) }
    }

    private mutating func add(_ file: Linked, _ identity: FileIdentity) {
        linked[identity, default: Linked(seen: 0, all: file.all, bytes: file.bytes)].seen +=
            file.seen
    }

    private static func hasOthers(_ status: FileStatus) -> Bool {
        status.type != .directory && status.linkCount > 1
    }
}
