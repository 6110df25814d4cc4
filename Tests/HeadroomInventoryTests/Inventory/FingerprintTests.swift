//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import Testing

struct FingerprintTests {
    private let key = FingerprintKey(1, 2)
    private let status = FileStatus(
        identity: FileIdentity(device: 1, inode: 2), mountID: 3, type: .regular,
        permissions: 0o644, linkCount: 1, owner: 0, group: 0, logicalSize: ByteCount(5),
        allocatedSize: ByteCount(4096), accessed: Timestamp(seconds: 1),
        modified: Timestamp(seconds: 2), changed: Timestamp(seconds: 3), created: nil,
        isMountRoot: false, isImmutable: false)

    @Test(.tags(.s4a), arguments: ["device", "inode", "type", "size", "mtime", "ctime"])
    func dependsOnEachOfItsParts(part: String) {
        var other = status
        switch part {
        case "device": other.identity.device = 9
        case "inode": other.identity.inode = 9
        case "type": other.type = .symbolicLink
        case "size": other.logicalSize = ByteCount(6)
        case "mtime": other.modified = other.modified.advanced(by: .nanoseconds(1))
        default: other.changed = other.changed.advanced(by: .nanoseconds(1))
        }
        #expect(Fingerprint(other, key: key) != Fingerprint(status, key: key))
    }

    @Test func dependsOnTheKeyAndNotOnTheTimeOfReading() {
        #expect(
            Fingerprint(status, key: FingerprintKey(1, 3)) != Fingerprint(status, key: key))
        var read = status
        read.accessed = Timestamp(seconds: 99)
        #expect(Fingerprint(read, key: key) == Fingerprint(status, key: key))
    }

    @Test(.tags(.s13a)) func anItemCostsWhatIsStated() { #expect(Inventory.bytesPerItem == 48) }
}
