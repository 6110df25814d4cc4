//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

// The entries of one directory: those that were named, or all of them.
extension LiveReader {
    /// What is to become of the items of a directory.
    private struct Exchange {
        var gone: Set<UInt32> = []
        var new: [UInt32] = []
        var mayHaveFlags = false
    }

    /// Looks at the entries that were named.
    func examine(
        _ names: [FileName: EntryChange], in number: UInt32, _ descriptor: Int32
    ) throws(LiveTree.IsFull) {
        let known = Known(names.keys, in: number, tree)
        var exchange = Exchange()
        var touched: [UInt32] = []
        // What goes first leaves its number to what comes.
        var new: [FileName] = []
        for (name, change) in names {
            entriesRead += 1
            clearOmission(name, in: number)
            let item = known.items[name]
            let child = known.children[name]
            let status: FileStatus
            do throws(Errno) {
                status = try name.withEntryName { (entry) throws(Errno) in
                    try calls.status(of: entry, at: descriptor)
                }
            } catch {
                if let item { exchange.gone.insert(item) }
                if let child { tree.removeTree(child, keepingTop: false, forget: forget) }
                if error != .noSuchFileOrDirectory { leaveOut(name, in: number, error) }
                continue
            }
            if status.type == .directory {
                if let item { exchange.gone.insert(item) }
                let isKnown = child.map { record($0).identity == status.identity } ?? false
                if let child, isKnown, !change.contains(.replacedDirectory) {
                    touched.append(child)
                } else {
                    if let child { tree.removeTree(child, keepingTop: false, forget: forget) }
                    new.append(name)
                }
                continue
            }
            if let child { tree.removeTree(child, keepingTop: false, forget: forget) }
            take(name, status, item, in: number, descriptor, &exchange)
        }
        finish(exchange, in: number)
        for name in new { try graft(name, in: number, descriptor) }
        for child in touched { try refresh(child, DirectoryChange()) }
    }

    private func take(
        _ name: FileName, _ status: FileStatus, _ item: UInt32?, in number: UInt32,
        _ descriptor: Int32, _ exchange: inout Exchange
    ) {
        guard isHere(status, number) else {
            if let item { exchange.gone.insert(item) }
            return omit(name, in: number, isMount: true)
        }
        name.withEntryName { entry in
            let found = found(entry, status, in: number, descriptor)
            if let item {
                if isSame(item, found) { return }
                exchange.gone.insert(item)
            }
            if !DirectoryRecord.Flags(file: entry, found.record).isEmpty {
                exchange.mayHaveFlags = true
            }
            exchange.new.append(tree.append(found.record, name: entry, extras: found.extras))
            if found.record.type == .regular {
                examined.append((tree.watches[Int(number)], name))
            }
        }
    }

    private func finish(_ exchange: Exchange, in number: UInt32) {
        tree.replace(in: number, removing: exchange.gone, adding: exchange.new)
        settleFlags(of: number, mayHaveFlags: exchange.mayHaveFlags)
    }

    /// An entry that cannot be looked at: asked for again each time.
    private func leaveOut(_ name: FileName, in number: UInt32, _ error: Errno) {
        omit(name, in: number, isMount: false)
        fail(tree.path(of: number).appendingName(name), "stat", error)
        tree.unwatched.insert(number)
    }

    /// Looks at items once more, by their names.
    ///
    /// - Returns: whether one of them is not what was known.
    func lookAgain(at items: Set<UInt32>, in number: UInt32) -> Bool {
        let root = rootDescriptors[tree.rootIndex(of: number)].descriptor.rawValue
        // What cannot be opened is told of as a change.
        guard
            let opened = try? OpenDirectory(tree.components(of: number), beneath: root, calls),
            opened.status.identity == record(number).identity
        else { return false }
        let descriptor = opened.descriptor.rawValue
        var exchange = Exchange()
        for id in items {
            let name = tree.name(ofItem: id).owned
            let known = tree.item(id)
            guard
                let status = try? name.withEntryName({ (entry) throws(Errno) in
                    try calls.status(of: entry, at: descriptor)
                }), status.identity.inode == known.inode, status.type == known.type
            else { continue }
            entriesRead += 1
            take(name, status, id, in: number, descriptor, &exchange)
        }
        finish(exchange, in: number)
        return !exchange.new.isEmpty
    }

    /// Reads a directory anew; what lies below the directories in it is left as it is, but for those
    /// that were replaced.
    func readAll(
        _ number: UInt32, _ descriptor: Int32, replaced: [FileName: EntryChange]
    ) throws(LiveTree.IsFull) {
        var items: [FileName: UInt32] = [:]
        tree.forEachItem(of: number) { items[tree.name(ofItem: $0).owned] = $0 }
        var children: [FileName: UInt32] = [:]
        for child in tree.children(of: number) { children[record(child).name] = child }
        tree.contents.omissions.removeAll { $0.directory == number }
        if !tree.contents.failures.isEmpty {
            let path = tree.path(of: number)
            tree.contents.failures.removeAll { $0.path.removingLastComponent() == path }
            tree.contents.failureCount = tree.contents.failures.count
        }
        var exchange = Exchange()
        var subdirectories: [(name: FileName, inode: UInt64)] = []
        let error = forEachEntry(of: descriptor) { entry in
            entriesRead += 1
            let name = entry.name.owned
            if entry.type == .directory {
                subdirectories.append((name, entry.inode))
                return
            }
            let status: FileStatus
            do throws(Errno) {
                status = try calls.status(of: entry.name, at: descriptor)
            } catch .noSuchFileOrDirectory {
                return
            } catch {
                return leaveOut(name, in: number, error)
            }
            if status.type == .directory {
                subdirectories.append((name, status.identity.inode))
            } else {
                take(
                    name, status, items.removeValue(forKey: name), in: number, descriptor, &exchange
                )
            }
        }
        exchange.gone.formUnion(items.values)
        if let error {
            tree.contents.directories[Int(number)].flags.insert(.unreadable)
            fail(tree.path(of: number), "read", error)
            tree.unwatched.insert(number)
        }
        finish(exchange, in: number)
        var touched: [UInt32] = []
        var new: [FileName] = []
        for (name, inode) in subdirectories {
            let child = children.removeValue(forKey: name)
            if let child, record(child).identity.inode == inode,
                replaced[name]?.contains(.replacedDirectory) != true
            {
                touched.append(child)
            } else {
                if let child { tree.removeTree(child, keepingTop: false, forget: forget) }
                new.append(name)
            }
        }
        for child in children.values {
            tree.removeTree(child, keepingTop: false, forget: forget)
        }
        for name in new { try graft(name, in: number, descriptor) }
        for child in touched { try refresh(child, DirectoryChange()) }
    }

    /// - Returns: what ended it too soon.
    private func forEachEntry(
        of descriptor: Int32, _ body: (DirectoryEntries.Entry) -> Void
    ) -> Errno? {
        let size = 32 * 1024
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        defer { unsafe buffer.deallocate() }
        do throws(Errno) {
            var stream = try calls.openStream(descriptor)
            defer { calls.close(stream) }
            while true {
                let count = try unsafe calls.read(&stream, into: buffer)
                guard count > 0 else { return nil }
                // In bounds: so many were filled.
                var entries = unsafe DirectoryEntries(
                    UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                while let entry = entries.next() { body(entry) }
            }
        } catch .noSuchFileOrDirectory {
            return nil
        } catch {
            return error
        }
    }

    /// Which items and directories have the names that are asked for: one pass over the directory's.
    private struct Known {
        var items: [FileName: UInt32] = [:]
        var children: [FileName: UInt32] = [:]

        init(
            _ names: Dictionary<FileName, EntryChange>.Keys, in number: UInt32, _ tree: LiveTree
        ) {
            if names.count == 1, let name = names.first {
                name.withEntryName { find($0, name, in: number, tree) }
                return
            }
            // By a hash, so that the names of the others need not be copied.
            var wanted: [UInt64: [FileName]] = [:]
            wanted.reserveCapacity(names.count)
            for name in names {
                name.withEntryName { wanted[Self.hash($0), default: []].append(name) }
            }
            tree.forEachItem(of: number) { id in
                let name = tree.name(ofItem: id)
                guard let candidates = wanted[Self.hash(name)] else { return }
                let bytes = unsafe name.bytes
                for other in candidates where unsafe other.bytes.elementsEqual(bytes) {
                    items[other] = id
                }
            }
            var child = tree.contents.directories[Int(number)].firstChild
            while child != DirectoryRecord.none {
                let record = tree.contents.directories[Int(child)]
                if let candidates = wanted[Self.hash(record.entryName)] {
                    let bytes = unsafe record.entryName.bytes
                    for other in candidates where unsafe other.bytes.elementsEqual(bytes) {
                        children[other] = child
                    }
                }
                child = record.nextSibling
            }
        }

        private mutating func find(
            _ entry: EntryName, _ name: FileName, in number: UInt32, _ tree: LiveTree
        ) {
            // Both end with a NUL.
            tree.forEachItem(of: number) { id in
                if unsafe strcmp(tree.name(ofItem: id).base, entry.base) == 0 { items[name] = id }
            }
            var child = tree.contents.directories[Int(number)].firstChild
            while child != DirectoryRecord.none {
                let record = tree.contents.directories[Int(child)]
                if unsafe strcmp(record.entryName.base, entry.base) == 0 { children[name] = child }
                child = record.nextSibling
            }
        }

        /// FNV-1a: short names, and only a first look. A name is compared before it counts.
        @inline(__always)
        private static func hash(_ name: EntryName) -> UInt64 {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for index in 0..<name.count {
                // In bounds: below the length of the name.
                let byte = unsafe UInt64(UInt8(bitPattern: name.base[index]))
                hash = (hash ^ byte) &* 0x100_0000_01B3
            }
            return hash
        }
    }
}
