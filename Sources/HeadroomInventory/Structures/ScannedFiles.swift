//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// Reads the contents of files of an inventory, as they were scanned.
struct ScannedFiles {
    let inventory: Inventory
    private let calls: any FileSystemCalls
    private let locks = LockTable.read()

    init(_ inventory: Inventory, _ calls: any FileSystemCalls) {
        self.inventory = inventory
        self.calls = calls
    }

    /// The subdirectory with a name; nil if the scan found none.
    func child(_ directory: UInt32, _ name: StaticString) -> UInt32? {
        var child = inventory.directories[Int(directory)].firstChild
        while child != DirectoryRecord.none {
            let record = inventory.directories[Int(child)]
            if record.entryName.isEqual(name) { return child }
            child = record.nextSibling
        }
        return nil
    }

    /// The file with a name; nil if the scan found none.
    func file(_ directory: UInt32, _ name: StaticString) -> UInt32? {
        var found: UInt32?
        inventory.forEachItem(of: directory) { id in
            if inventory.name(ofItem: id).isEqual(name) { found = id }
        }
        return found
    }

    /// The content of a file.
    ///
    /// - Parameter limit: the largest size that is read, in bytes.
    /// - Returns: nil if the file is larger, has changed since the scan, is leased, or can't be read.
    func content(of item: UInt32, limit: Int64 = 1 << 20) -> [UInt8]? {
        let record = inventory.item(item)
        guard record.type == .regular, record.logical <= limit else { return nil }
        if record.logical == 0 { return [] }
        return content(of: inventory.name(ofItem: item), in: record.parent, count: record.logical) {
            Fingerprint($0, key: inventory.key).rawValue == record.fingerprint
        }
    }

    /// Whether the `CACHEDIR.TAG` of a directory is a tag, and another program's.
    func hasForeignTag(_ directory: UInt32) -> Bool {
        let start = CacheDirectoryTag.name.withEntryName { name in
            content(of: name, in: directory, count: Int64(CacheDirectoryTag.ownStart.count)) {
                $0.type == .regular
            }
        }
        guard let start, start.starts(with: CacheDirectoryTag.signature) else { return false }
        return start != CacheDirectoryTag.ownStart
    }

    private func content(
        of name: EntryName, in directory: UInt32, count: Int64,
        where isExpected: (FileStatus) -> Bool
    ) -> [UInt8]? {
        do throws(Errno) {
            let root = try Descriptor.openDirectory(inventory.root(ofDirectory: directory).path)
            let opened = Descriptor(
                owning: try calls.openDirectory(
                    beneath: root.rawValue, path: inventory.components(ofDirectory: directory)))
            let status = try calls.status(of: name, at: opened.rawValue)
            guard isExpected(status), !status.isDataless, !locks.hasLease(on: status.identity)
            else { return nil }
            let file = ProbedFile(
                owning: try calls.openFile(name, at: opened.rawValue, writing: false))
            // Another file may have taken the name since.
            guard try calls.status(of: file.rawValue).identity == status.identity else {
                return nil
            }
            return try FileHeader.read(file.rawValue, count: Int(count))
        } catch {
            return nil
        }
    }
}
