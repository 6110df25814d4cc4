//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import CHeadroomShims

/// Puts events together to what has changed, within bounded memory: what happens again and again to
/// one entry counts once, and of a directory in which very much happens no names are kept.
struct ChangeCollector {
    /// The names of files that are kept of one directory, and of directories.
    private static let fileLimit = 1024
    private static let directoryLimit = 8192
    /// The names that are kept in all.
    private static let nameLimit = 1 << 18

    private(set) var batch = ChangeBatch()
    private var names = 0

    mutating func take() -> ChangeBatch {
        defer {
            batch = ChangeBatch()
            names = 0
        }
        return batch
    }

    mutating func lose() {
        batch.isIncomplete = true
        // Everything is looked at again.
        batch.directories = [:]
        names = 0
    }

    /// A directory is not watched any more.
    mutating func lose(tree id: UInt32) {
        guard !batch.isIncomplete else { return }
        names -= batch.directories[id]?.names.count ?? 0
        batch.directories[id] = DirectoryChange()
        batch.directories[id]?.concernsTree = true
    }

    /// Adds an event of the kernel's.
    ///
    /// - Parameter name: of the entry; empty: the directory itself.
    mutating func add(_ mask: UInt64, of id: UInt32, name: UnsafeRawBufferPointer) {
        guard !batch.isIncomplete else { return }
        let isDirectory = mask & UInt64(HR_EVENT_DIRECTORY) != 0
        let comesOrGoes = UInt64(
            HR_EVENT_CREATE | HR_EVENT_DELETE | HR_EVENT_MOVED_FROM | HR_EVENT_MOVED_TO)
        var change = EntryChange.touched
        if isDirectory, mask & comesOrGoes != 0 { change.insert(.replacedDirectory) }
        unsafe add(change, of: id, name: name, isDirectory: isDirectory)
    }

    private mutating func add(
        _ change: EntryChange, of id: UInt32, name: UnsafeRawBufferPointer, isDirectory: Bool
    ) {
        var directory = batch.directories.removeValue(forKey: id) ?? DirectoryChange()
        defer { batch.directories[id] = directory }
        let isItself = unsafe name.isEmpty || (name.count == 1 && name[0] == UInt8(ascii: "."))
        if isItself || directory.concernsTree { return }
        if directory.concernsAllFiles, !isDirectory { return }
        // Within the event, which was checked.
        let name = unsafe FileName(unchecked: Array(name))
        if let known = directory.names[name] {
            directory.names[name] = known.union(change)
            return
        }
        directory.names[name] = change
        names += 1
        if directory.names.count > Self.directoryLimit {
            names -= directory.names.count
            directory.names = [:]
            directory.concernsTree = true
        } else if directory.names.count > Self.fileLimit, !directory.concernsAllFiles {
            keepDirectories(&directory)
        }
        if names > Self.nameLimit { keepDirectories() }
    }

    /// Forgets the names of files; those of directories say which trees are new.
    private mutating func keepDirectories(_ directory: inout DirectoryChange) {
        names -= directory.names.count
        directory.names = directory.names.filter { $0.value.contains(.replacedDirectory) }
        names += directory.names.count
        directory.concernsAllFiles = true
    }

    private mutating func keepDirectories() {
        for id in Array(batch.directories.keys) {
            guard var directory = batch.directories.removeValue(forKey: id) else { continue }
            keepDirectories(&directory)
            batch.directories[id] = directory
        }
        // Only directories that came and went are left: that many are a scan's work anyway.
        if names > Self.nameLimit / 2 { lose() }
    }
}
#endif
