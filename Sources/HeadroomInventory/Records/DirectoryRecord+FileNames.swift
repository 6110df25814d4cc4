//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
package import HeadroomPlatform

extension DirectoryRecord.Flags {
    /// The flags that a file gives the directory that it is in, by its name and type.
    ///
    /// Called for each file of a scan: nearly all names are rejected by their length or first byte.
    @inline(__always)
    package init(file name: EntryName, _ record: ItemRecord) {
        var flags: Self = []
        let first = unsafe name.base[0]
        switch name.count {
        // HEAD, .git
        case 4: if first == 0x48 || first == 0x2E { flags = Self.named(name) }
        // config, README
        case 6: if first == 0x63 || first == 0x52 { flags = Self.named(name) }
        // CURRENT, ibdata1, key4.db
        case 7: if first == 0x43 || first == 0x69 || first == 0x6B { flags = Self.named(name) }
        // data.mdb, dump.rdb, _FOSSIL_
        case 8: if first == 0x64 || first == 0x5F { flags = Self.named(name) }
        // .fslckout
        case 9: if first == 0x2E { flags = Self.named(name) }
        // pyvenv.cfg, MANIFEST-1, PG_VERSION, WiredTiger, Login Data, system.reg
        case 10:
            switch first {
            case 0x70, 0x4D, 0x50, 0x57, 0x4C, 0x73: flags = Self.named(name)
            default: break
            }
        case 12:
            if CacheDirectoryTag.matches(name, record) { flags.insert(.hasTag) }
            if first == 0x4D { flags.formUnion(Self.named(name)) }
        // MANIFEST-000001, Local State
        case 11: if first == 0x4D || first == 0x4C { flags = Self.named(name) }
        // places.sqlite
        case 13: if first == 0x4D || first == 0x70 { flags = Self.named(name) }
        case 14...24: if first == 0x4D { flags = Self.named(name) }
        default: break
        }
        flags.formUnion(.byEnding(of: name, record))
        if Self.isStoreFile(name, record) { flags.insert(.looksLikeStore) }
        self = flags
    }

    /// Whether an entry is the file that identifies a cache store, as far as name, type and size tell.
    @inline(__always)
    private static func isStoreFile(_ name: EntryName, _ record: ItemRecord) -> Bool {
        guard name.count == 5, unsafe name.base[0] == 0x73 else { return false }
        return record.type == .regular && record.logical == StoreNames.identitySize
            && name.owned.bytes == Array(StoreNames.identity.utf8)
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
        let databaseFiles: [StaticString] = [
            "data.mdb", "PG_VERSION", "WiredTiger", "ibdata1", "dump.rdb",
        ]
        if databaseFiles.contains(where: matches) { return .hasDatabaseFile }
        let fossilFiles: [StaticString] = [".fslckout", "_FOSSIL_"]
        if fossilFiles.contains(where: matches) { return .hasFossilFile }
        let browserFiles: [StaticString] = [
            "Local State", "Login Data", "key4.db", "places.sqlite",
        ]
        if browserFiles.contains(where: matches) { return .hasBrowserFile }
        if matches("system.reg") { return .hasRegistryFile }
        if matches("config") { return .hasConfigFile }
        if matches("README") { return .hasReadMe }
        return unsafe bytes.starts(with: Array("MANIFEST-".utf8)) ? .hasManifest : []
    }
}
