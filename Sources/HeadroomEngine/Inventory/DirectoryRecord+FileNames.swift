//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

extension DirectoryRecord.Flags {
    /// The flags that a file gives the directory that it is in, by its name and type.
    ///
    /// Called for each file of a scan: nearly all names are rejected by their length or first byte.
    @inline(__always)
    init(file name: EntryName, _ record: ItemRecord) {
        var flags: Self = []
        let first = unsafe name.base[0]
        switch name.count {
        case 4: if first == 0x48 || first == 0x2E { flags = Self.named(name) }  // HEAD, .git
        case 7: if first == 0x43 { flags = Self.named(name) }  // CURRENT
        case 10: if first == 0x70 || first == 0x4D { flags = Self.named(name) }  // pyvenv.cfg
        case 12:
            if CacheDirectoryTag.matches(name, record) { flags.insert(.hasTag) }
            if first == 0x4D { flags.formUnion(Self.named(name)) }
        case 11, 13...24: if first == 0x4D { flags = Self.named(name) }  // MANIFEST-000001
        default: break
        }
        if StoreIdentity.matches(name, record) { flags.insert(.looksLikeStore) }
        self = flags
    }

    @inline(never)
    private static func named(_ name: EntryName) -> Self {
        let bytes = unsafe name.bytes
        func matches(_ text: StaticString) -> Bool {
            unsafe bytes.elementsEqual(
                UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }
        if matches("HEAD") { return .hasHead }
        if matches(".git") { return .hasGitFile }
        if matches("CURRENT") { return .hasCurrent }
        if matches("pyvenv.cfg") { return .hasVirtualEnvironment }
        return unsafe bytes.starts(with: Array("MANIFEST-".utf8)) ? .hasManifest : []
    }
}
