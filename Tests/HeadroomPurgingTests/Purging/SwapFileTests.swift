//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// What the system swaps to stays (safety invariant S5).
@Suite(
    .enabled(
        if: Privilege.canMount(.ext4) && Privilege.canSwap, "needs root, mkfs.ext4 and swapon"))
struct SwapFileTests {
    @Test(.tags(.s5h)) func aSwapFileStays() throws {
        let image = try MountedImage(.ext4)
        let fixture = try PurgeFixture(on: .at(image.path))
        // As in `/proc/swaps`: with what has to be escaped there.
        let names = ["swap file", "d/swap\n2"]
        for name in names {
            try fixture.tree.file(TreePath(name), size: .mebibytes(1))
            try fixture.tree.setPermissions(0o600, of: TreePath(name))
        }
        try fixture.tree.file("beside", size: .mebibytes(1))
        let swaps = try names.map { try SwapFile(fixture.tree.path(TreePath($0))) }
        for unit in [PurgeUnit.file, .entry] {
            let receipt = try fixture.purge(unit: unit)
            for (name, inside) in [("swap file", "swap file"), ("d/swap\n2", "d")] {
                #expect(fixture.tree.exists(TreePath(name)))
                let path = unit == .file ? name : inside
                let kept = receipt.skipped.first { $0.path.string.hasSuffix("/area/\(path)") }
                #expect(kept?.reason.code == .inUse)
                #expect(kept?.reason.text.contains("swap") == true, "\(kept as Any)")
            }
        }
        #expect(!fixture.tree.exists("beside"))
        for swap in swaps { swap.end() }
        try fixture.purge()
        #expect(try fixture.tree.names() == [])
    }
}
#endif
