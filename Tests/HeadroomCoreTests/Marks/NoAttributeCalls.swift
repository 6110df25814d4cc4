//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPlatform
import SystemPackage

/// The Linux route on a file system that keeps no attributes.
struct NoAttributeCalls: FileSystemCalls, AttributeCalls {
    private let calls = LinuxCalls()
    /// What setting one ends with.
    private let error: Errno

    init(error: Errno = .notSupported) {
        self.error = error
    }

    func setAttribute(_ attribute: AttributeName, to value: [UInt8], of descriptor: Int32)
        throws(Errno)
    {
        throw error
    }
    func removeAttribute(_ attribute: AttributeName, of descriptor: Int32) throws(Errno) -> Bool {
        false
    }
    func attribute(
        _ attribute: AttributeName, of name: EntryName, at parent: Int32
    ) throws(Errno) -> [UInt8]? { nil }
    func attribute(_ attribute: AttributeName, of descriptor: Int32) throws(Errno) -> [UInt8]? {
        nil
    }

    func openDirectory(
        _ name: EntryName, at parent: Int32, crossingMounts: Bool
    ) throws(Errno) -> Int32 {
        try calls.openDirectory(name, at: parent, crossingMounts: crossingMounts)
    }
    func openDirectory(
        beneath root: Int32, path: [FileName], crossingMounts: Bool
    ) throws(Errno) -> Int32 {
        try calls.openDirectory(beneath: root, path: path, crossingMounts: crossingMounts)
    }
    func openFile(_ name: EntryName, at parent: Int32, writing: Bool) throws(Errno) -> Int32 {
        try calls.openFile(name, at: parent, writing: writing)
    }
    func status(of name: EntryName, at parent: Int32) throws(Errno) -> FileStatus {
        try calls.status(of: name, at: parent)
    }
    func status(of descriptor: Int32) throws(Errno) -> FileStatus {
        try calls.status(of: descriptor)
    }
    func remove(_ name: EntryName, at parent: Int32, isDirectory: Bool) throws(Errno) {
        try calls.remove(name, at: parent, isDirectory: isDirectory)
    }
    func rename(_ name: EntryName, to newName: EntryName, at parent: Int32) throws(Errno) {
        try calls.rename(name, to: newName, at: parent)
    }
    func openStream(_ directory: Int32) throws(Errno) -> DirectoryStream {
        try calls.openStream(directory)
    }
    func read(
        _ stream: inout DirectoryStream, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int {
        try unsafe calls.read(&stream, into: buffer)
    }
    func close(_ stream: DirectoryStream) { calls.close(stream) }
}
#endif
