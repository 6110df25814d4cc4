//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
package import SystemPackage

/// System calls of the machine with something done before or after some of them: faults, or what
/// another process does just then.
package struct HookedCalls: FileSystemCalls {
    private let calls = NativeCalls.make()

    /// Called before an entry is removed; what it throws is the outcome.
    package var willRemove: (@Sendable (FileName, Bool) throws(Errno) -> Void)?
    package var didRemove: (@Sendable (FileName) -> Void)?
    package var willRename: (@Sendable (FileName, FileName) throws(Errno) -> Void)?
    package var didRename: (@Sendable (FileName, FileName) -> Void)?
    /// Called before a regular file is opened.
    package var willOpen: (@Sendable (FileName) -> Void)?
    /// Called before a directory is opened by its path below another.
    package var willOpenDirectory: (@Sendable () -> Void)?
    /// Called after an entry was examined.
    package var didExamine: (@Sendable (FileName) -> Void)?
    /// Changes what is said of an entry.
    package var adjust: (@Sendable (FileName, inout FileStatus) -> Void)?
    /// Changes what is said of an open file or directory.
    package var adjustOpen: (@Sendable (inout FileStatus) -> Void)?

    package init() {}

    package func openDirectory(_ name: EntryName, at parent: Int32, crossingMounts: Bool)
        throws(Errno)
        -> Int32
    { try calls.openDirectory(name, at: parent, crossingMounts: crossingMounts) }

    package func openDirectory(
        beneath root: Int32, path: [FileName], crossingMounts: Bool
    ) throws(Errno) -> Int32 {
        willOpenDirectory?()
        return try calls.openDirectory(beneath: root, path: path, crossingMounts: crossingMounts)
    }

    package func openFile(_ name: EntryName, at parent: Int32, writing: Bool) throws(Errno) -> Int32
    {
        willOpen?(name.owned)
        return try calls.openFile(name, at: parent, writing: writing)
    }

    package func status(of name: EntryName, at parent: Int32) throws(Errno) -> FileStatus {
        var status = try calls.status(of: name, at: parent)
        adjust?(name.owned, &status)
        didExamine?(name.owned)
        return status
    }

    package func status(of descriptor: Int32) throws(Errno) -> FileStatus {
        var status = try calls.status(of: descriptor)
        adjustOpen?(&status)
        return status
    }

    package func remove(_ name: EntryName, at parent: Int32, isDirectory: Bool) throws(Errno) {
        try willRemove?(name.owned, isDirectory)
        try calls.remove(name, at: parent, isDirectory: isDirectory)
        didRemove?(name.owned)
    }

    package func rename(_ name: EntryName, to newName: EntryName, at parent: Int32) throws(Errno) {
        try willRename?(name.owned, newName.owned)
        try calls.rename(name, to: newName, at: parent)
        didRename?(name.owned, newName.owned)
    }

    package func openStream(_ directory: Int32) throws(Errno) -> DirectoryStream {
        try calls.openStream(directory)
    }

    package func read(
        _ stream: inout DirectoryStream, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int { try unsafe calls.read(&stream, into: buffer) }

    package func close(_ stream: DirectoryStream) { calls.close(stream) }

    package func attribute(_ attribute: AttributeName, of name: EntryName, at parent: Int32)
        throws(Errno)
        -> [UInt8]?
    { try calls.attribute(attribute, of: name, at: parent) }

    package func attribute(_ attribute: AttributeName, of descriptor: Int32) throws(Errno)
        -> [UInt8]?
    {
        try calls.attribute(attribute, of: descriptor)
    }
}
