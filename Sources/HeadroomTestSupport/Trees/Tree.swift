//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
public import HeadroomPlatform
public import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Builds and inspects the tree below one directory, for tests.
///
/// Every operation goes from directory descriptor to directory descriptor: names may be any bytes
/// and trees thousands of levels deep. Missing directories on the way are made. Everything blocks,
/// and throws ``FixtureError``.
///
///     let directory = try TemporaryDirectory()
///     try directory.tree.file("a/b/c.bin", size: .mebibytes(1))
///     try directory.tree.hardLink("a/again", to: "a/b/c.bin")
///     try directory.tree.age("a", by: .seconds(30 * 86_400))
public struct Tree: Sendable {
    /// The directory that paths are relative to.
    public let root: FilePath

    public init(root: FilePath) {
        self.root = root
    }

    /// The path of something in the tree as the system takes it.
    ///
    /// Longer than `PATH_MAX` for deep trees: then it is of no use to a system call.
    public func path(_ path: TreePath) -> FilePath {
        var bytes: [CChar] = unsafe root.withPlatformString {
            unsafe Array(
                UnsafeBufferPointer(
                    start: $0, count: strlen($0)))
        }
        for name in path.names {
            bytes.append(0x2F)
            bytes += name.bytes.map { CChar(bitPattern: $0) }
        }
        bytes.append(0)
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("never empty") }
            return unsafe FilePath(platformString: base)
        }
    }

    // MARK: - Directories

    /// Makes a directory, and those on the way to it. One that exists is fine.
    public func directory(_ path: TreePath) throws {
        _ = try open(path, creating: true)
    }

    /// Makes directories named `name` inside each other, `depth` of them.
    ///
    /// - Returns: the path of the innermost.
    @discardableResult
    public func chain(_ path: TreePath, depth: Int, name: FileName? = nil) throws -> TreePath {
        let link = name ?? FileName(unchecked: [UInt8(ascii: "d")])
        let whole = TreePath(path.names + Array(repeating: link, count: depth))
        try directory(whole)
        return whole
    }

    // MARK: - Files

    /// Makes a file of `size` bytes, all of them written, or replaces the contents of one.
    public func file(_ path: TreePath, size: ByteCount = .zero) throws {
        let descriptor = try create(path)
        try Self.fill(descriptor.rawValue, size: size, named: path)
    }

    /// Makes a file with the given contents, or replaces the contents of one.
    public func file(_ path: TreePath, contents: [UInt8]) throws {
        let descriptor = try create(path)
        try Self.write(contents[...], to: descriptor.rawValue, named: path)
    }

    /// Makes a file with a text in UTF-8.
    public func file(_ path: TreePath, text: String) throws {
        try file(path, contents: Array(text.utf8))
    }

    /// Makes `count` files of `size` bytes each in one directory, named `f0`, `f1` and so on.
    public func files(_ count: Int, in directory: TreePath, size: ByteCount = .zero) throws {
        let parent = try open(directory, creating: true)
        for index in 0..<count {
            let name = FileName(unchecked: Array("f\(index)".utf8))
            let descriptor = try Self.create(name, at: parent.rawValue)
            if size > .zero {
                try Self.fill(descriptor.rawValue, size: size, named: directory)
            }
        }
    }

    /// Makes a file whose length is `size`, with `written` bytes at its end and a hole before.
    public func sparseFile(_ path: TreePath, size: ByteCount, written: ByteCount = .zero) throws {
        let descriptor = try create(path)
        try check("ftruncate", path, ftruncate(descriptor.rawValue, off_t(size.bytes)))
        guard written > .zero else { return }
        let start = lseek(descriptor.rawValue, off_t((size - written).bytes), SEEK_SET)
        try check("lseek", path, start < 0 ? -1 : 0)
        try Self.fill(descriptor.rawValue, size: written, named: path)
    }

    #if os(Linux)
    /// Makes a file that occupies `size` bytes, none of which are written.
    public func allocatedFile(_ path: TreePath, size: ByteCount) throws {
        let descriptor = try create(path)
        let error = posix_fallocate(descriptor.rawValue, 0, off_t(size.bytes))
        guard error == 0 else {
            throw FixtureError(
                "posix_fallocate", on: "\(root)/\(path)", errno: Errno(rawValue: error))
        }
    }
    #endif

    /// The contents of a regular file.
    public func contents(of path: TreePath) throws -> [UInt8] {
        let descriptor = unsafe Descriptor(
            owning: try inParent(of: path, creating: false, "openat") { parent, name in
                unsafe hr_openat(parent, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
            })
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe read(descriptor.rawValue, $0.baseAddress, $0.count)
            }
            try check("read", path, count < 0 ? -1 : 0)
            if count == 0 { return contents }
            contents += buffer[..<count]
        }
    }

    // MARK: - Opening

    /// Opens a directory of the tree.
    public func open(_ path: TreePath = TreePath(), creating: Bool = false) throws -> Descriptor {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        let start = unsafe root.withPlatformString { unsafe hr_openat(AT_FDCWD, $0, flags, 0) }
        guard start >= 0 else {
            throw FixtureError("open", on: root.description, errno: .current)
        }
        var current = Descriptor(owning: start)
        for name in path.names {
            let parent = current.rawValue
            let next = name.withEntryName { entry in
                var opened = unsafe hr_openat(parent, entry.base, flags | O_NOFOLLOW, 0)
                if opened < 0, creating, errno == ENOENT,
                    unsafe mkdirat(parent, entry.base, 0o755) == 0
                {
                    opened = unsafe hr_openat(parent, entry.base, flags | O_NOFOLLOW, 0)
                }
                return opened
            }
            guard next >= 0 else {
                throw FixtureError("open", on: path.description, errno: .current)
            }
            current = Descriptor(owning: next)
        }
        return current
    }

    /// Calls `body` with the parent directory of a path and its last name; −1 becomes an error.
    @discardableResult
    func inParent(
        of path: TreePath, creating: Bool, _ call: String,
        _ body: (_ parent: Int32, _ name: UnsafePointer<CChar>) throws -> Int32
    ) throws -> Int32 {
        guard let name = path.names.last else {
            throw FixtureError(call, on: "the root of a tree", errno: .invalidArgument)
        }
        let parent = try open(path.directory, creating: creating)
        let result = try name.withEntryName { try unsafe body(parent.rawValue, $0.base) }
        try check(call, path, result)
        return result
    }

    func check(_ call: String, _ path: TreePath, _ result: Int32) throws {
        if result == -1 {
            throw FixtureError(call, on: "\(root)/\(path)", errno: .current)
        }
    }

    private func create(_ path: TreePath) throws -> Descriptor {
        guard let name = path.names.last else {
            throw FixtureError("create", on: "the root of a tree", errno: .isDirectory)
        }
        let parent = try open(path.directory, creating: true)
        return try Self.create(name, at: parent.rawValue)
    }

    private static func create(_ name: FileName, at parent: Int32) throws -> Descriptor {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = name.withEntryName {
            unsafe hr_openat(parent, $0.base, flags, 0o644)
        }
        guard descriptor >= 0 else {
            throw FixtureError("create", on: name.text, errno: .current)
        }
        return Descriptor(owning: descriptor)
    }

    private static let block = [UInt8](repeating: 0xA5, count: 65_536)

    private static func fill(_ descriptor: Int32, size: ByteCount, named path: TreePath) throws {
        var rest = Int(size.bytes)
        while rest > 0 {
            let count = min(rest, block.count)
            try write(block[..<count], to: descriptor, named: path)
            rest -= count
        }
    }

    private static func write(
        _ bytes: ArraySlice<UInt8>, to descriptor: Int32, named path: TreePath
    ) throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                #if canImport(Glibc)
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
                #else
                unsafe Darwin.write(descriptor, $0.baseAddress, $0.count)
                #endif
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw FixtureError("write", on: path.description, errno: .current)
            }
            rest = rest.dropFirst(count)
        }
    }
}
