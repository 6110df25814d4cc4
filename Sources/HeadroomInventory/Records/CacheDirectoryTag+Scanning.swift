//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
package import HeadroomPlatform

extension CacheDirectoryTag {
    /// Whether a scanned entry is a tag, as far as name, type and size tell.
    @inline(__always)
    package static func matches(_ name: EntryName, _ record: ItemRecord) -> Bool {
        guard name.count == 12, unsafe name.base[0] == 0x43 else { return false }
        guard record.type == .regular, record.logical <= maximumSize else { return false }
        return unsafe name.bytes.elementsEqual(Self.name.bytes)
    }
}
