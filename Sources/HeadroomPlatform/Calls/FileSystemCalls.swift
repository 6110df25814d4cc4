//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

/// The system calls that walking, sizing and deleting are made of.
///
/// Everything is relative to an open directory and never follows a symbolic link. There are two
/// routes: ``LinuxCalls`` (statx, getdents64, openat2) and ``POSIXCalls``, which Darwin uses and
/// which is compiled and tested on Linux too. Tests put a third in front that injects faults.
/// Each call retries `EINTR` and throws the error number, nothing else.
package protocol FileSystemCalls: Sendable {
    /// Opens the directory `name` in `parent` for reading, without following a link and, unless
    /// `crossingMounts`, without entering another mount (`EXDEV`).
    func openDirectory(_ name: EntryName, at parent: Int32, crossingMounts: Bool) throws(Errno)
        -> Int32

    /// Opens a directory below `root` by a relative path of several components, none of which may
    /// be a link, lead upwards or, unless `crossingMounts`, enter another mount. An empty path opens `root` anew.
    ///
    /// The path may be longer than `PATH_MAX`.
    func openDirectory(beneath root: Int32, path: [FileName], crossingMounts: Bool) throws(Errno)
        -> Int32

    /// Opens a regular file for reading or writing, without following a link, blocking on a FIFO,
    /// or making a terminal ours. The caller knows from its status that it is a regular file.
    func openFile(_ name: EntryName, at parent: Int32, writing: Bool) throws(Errno) -> Int32

    /// The status of an entry, not of what it links to, without triggering an automount.
    func status(of name: EntryName, at parent: Int32) throws(Errno) -> FileStatus

    /// What adding up needs of an entry, not following links: identity, type, links and sizes. The
    /// rest may be there or not.
    func extent(of name: EntryName, at parent: Int32) throws(Errno) -> FileStatus

    /// The status of an open file.
    func status(of descriptor: Int32) throws(Errno) -> FileStatus

    /// Removes an entry (`unlinkat`): a file, or an empty directory.
    func remove(_ name: EntryName, at parent: Int32, isDirectory: Bool) throws(Errno)

    /// Renames an entry within one directory; `EEXIST` if the new name is taken.
    func rename(_ name: EntryName, to newName: EntryName, at parent: Int32) throws(Errno)

    /// Opens a stream over the entries of an open directory, which stays owned by the caller.
    func openStream(_ directory: Int32) throws(Errno) -> DirectoryStream

    /// Reads a buffer full of entries, in the layout of ``DirectoryEntries``.
    ///
    /// - Returns: the number of bytes filled; 0 at the end.
    func read(_ stream: inout DirectoryStream, into buffer: UnsafeMutableRawBufferPointer)
        throws(Errno) -> Int

    /// Ends a stream. The directory's descriptor stays open.
    func close(_ stream: DirectoryStream)

    /// The value of an extended attribute of an entry, not following links.
    ///
    /// - Returns: nil if there is none, or the file system has no attributes.
    func attribute(_ attribute: AttributeName, of name: EntryName, at parent: Int32) throws(Errno)
        -> [UInt8]?

    /// Whether an entry, not followed, may have any extended attribute at all; true where asking
    /// costs no less than reading one.
    func mayHaveAttributes(_ name: EntryName, at parent: Int32) -> Bool

    /// The value of an extended attribute of an open file.
    func attribute(_ attribute: AttributeName, of descriptor: Int32) throws(Errno) -> [UInt8]?
}

extension FileSystemCalls {
    @inline(__always)
    package func extent(of name: EntryName, at parent: Int32) throws(Errno) -> FileStatus {
        try status(of: name, at: parent)
    }

    package func mayHaveAttributes(_ name: EntryName, at parent: Int32) -> Bool { true }

    /// Opens a directory below `root` that lies on the same mount.
    package func openDirectory(beneath root: Int32, path: [FileName]) throws(Errno) -> Int32 {
        try openDirectory(beneath: root, path: path, crossingMounts: false)
    }
}

/// A position in a directory that is being read.
@safe package struct DirectoryStream {
    package let descriptor: Int32
    /// The `DIR *` of the POSIX route; the Linux route needs none.
    package let handle: OpaquePointer?

    package init(descriptor: Int32, handle: OpaquePointer? = nil) {
        self.descriptor = descriptor
        unsafe self.handle = handle
    }
}
