//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
import Synchronization
public import SystemPackage

/// System calls that fail where a test wants them to.
public final class FaultyCalls: Sendable {
    /// A kind of call that can be made to fail.
    public enum Call: Hashable, Sendable {
        case open
        case status
        case read
    }

    /// Says whether a call fails.
    ///
    /// - Parameters:
    ///   - name: of the entry; nil for calls on a descriptor.
    ///   - count: how many calls of that kind there were before.
    public typealias Rule = @Sendable (_ call: Call, _ name: FileName?, _ count: Int) -> Errno?

    package let base: any FileSystemCalls
    private let hidesTypes: Bool
    private let rule: Rule
    private let counts = Mutex<[Call: Int]>([:])

    /// - Parameters:
    ///   - hidesTypes: entries come without their types, as on file systems that keep none there.
    package init(
        _ base: any FileSystemCalls, hidesTypes: Bool = false,
        rule: @escaping Rule = { _, _, _ in nil }
    ) {
        self.base = base
        self.hidesTypes = hidesTypes
        self.rule = rule
    }

    /// How many calls of a kind there were.
    public func count(_ call: Call) -> Int { counts.withLock { $0[call] ?? 0 } }

    private func check(_ call: Call, _ name: EntryName?) throws(Errno) {
        let before = counts.withLock { counts in
            defer { counts[call, default: 0] += 1 }
            return counts[call] ?? 0
        }
        if let error = rule(call, name?.owned, before) { throw error }
    }
}

extension FaultyCalls: FileSystemCalls {
    package func openDirectory(
        _ name: EntryName, at parent: Int32, crossingMounts: Bool
    ) throws(Errno) -> Int32 {
        try check(.open, name)
        return try base.openDirectory(name, at: parent, crossingMounts: crossingMounts)
    }

    package func openDirectory(
        beneath root: Int32, path: [FileName], crossingMounts: Bool
    ) throws(Errno) -> Int32 {
        try base.openDirectory(beneath: root, path: path, crossingMounts: crossingMounts)
    }

    package func openFile(_ name: EntryName, at parent: Int32, writing: Bool) throws(Errno) -> Int32
    {
        try check(.open, name)
        return try base.openFile(name, at: parent, writing: writing)
    }

    package func status(of name: EntryName, at parent: Int32) throws(Errno) -> FileStatus {
        try check(.status, name)
        return try base.status(of: name, at: parent)
    }

    package func status(of descriptor: Int32) throws(Errno) -> FileStatus {
        try base.status(of: descriptor)
    }

    package func remove(_ name: EntryName, at parent: Int32, isDirectory: Bool) throws(Errno) {
        try base.remove(name, at: parent, isDirectory: isDirectory)
    }

    package func rename(_ name: EntryName, to newName: EntryName, at parent: Int32) throws(Errno) {
        try base.rename(name, to: newName, at: parent)
    }

    package func openStream(_ directory: Int32) throws(Errno) -> DirectoryStream {
        try base.openStream(directory)
    }

    package func read(
        _ stream: inout DirectoryStream, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int {
        try check(.read, nil)
        let count = try unsafe base.read(&stream, into: buffer)
        guard hidesTypes else { return count }
        var offset = 0
        while offset + 19 <= count {
            // The layout of DirectoryEntries: length at 16, type at 18.
            let length = unsafe buffer.loadUnaligned(fromByteOffset: offset + 16, as: UInt16.self)
            unsafe buffer.storeBytes(of: 0, toByteOffset: offset + 18, as: UInt8.self)
            guard length > 0 else { break }
            offset += Int(length)
        }
        return count
    }

    package func close(_ stream: DirectoryStream) { base.close(stream) }

    package func attribute(
        _ attribute: AttributeName, of name: EntryName, at parent: Int32
    ) throws(Errno) -> [UInt8]? {
        try base.attribute(attribute, of: name, at: parent)
    }

    package func attribute(_ attribute: AttributeName, of descriptor: Int32) throws(Errno)
        -> [UInt8]?
    {
        try base.attribute(attribute, of: descriptor)
    }
}
