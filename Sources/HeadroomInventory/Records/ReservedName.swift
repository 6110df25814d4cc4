//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform

/// The names that directory units are renamed to while they are emptied (safety invariant S6).
///
/// `.headroom-going-<receipt>-<number>`, in the unit's own parent: recognised by every scan without
/// the ledger, never an item, and finished or restored by the next purge.
package enum ReservedName {
    package static let prefix = ".headroom-going-"
    private static let prefixBytes = Array(prefix.utf8)

    @inline(__always)
    package static func matches(_ name: EntryName) -> Bool {
        guard name.count > prefixBytes.count, unsafe name.base[0] == 0x2E else { return false }
        return unsafe name.bytes.starts(with: prefixBytes)
    }

    package static func make(receipt: String, number: Int) -> FileName {
        FileName(unchecked: prefixBytes + Array("\(receipt)-\(number)".utf8))
    }
}
