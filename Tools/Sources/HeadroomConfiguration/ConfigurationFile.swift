//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file of the configuration, read so that nobody else can have written what it says.
package struct ConfigurationFile: Hashable {
    var path: FilePath
    /// Another than ``text``'s reader only where root wrote it for a user.
    var owner: UInt32
    var text: String

    /// Enough for thousands of areas.
    static let sizeLimit = 256 << 10

    /// Reads a file. Blocks, but waits for nothing: a pipe is refused.
    ///
    /// - Throws: ``ConfigurationProblem`` if it is a link, no regular file, another user's, writable by
    ///   others, too long, not UTF-8 or unreadable.
    init(_ path: FilePath, for places: ConfigurationPlaces) throws(ConfigurationProblem) {
        let (descriptor, status) = try Self.open(path, .init(rawValue: 0))
        defer { try? descriptor.close() }  // Nothing was written through it.
        guard UInt32(status.st_mode) & UInt32(S_IFMT) == UInt32(S_IFREG) else {
            throw ConfigurationProblem(
                file: path, what: "it is not a regular file", advice: "Put a file in its place.")
        }
        try Self.checkAccess(path, status, places)
        let bytes: [UInt8]
        do {
            bytes = try Self.content(of: descriptor)
        } catch {
            throw Self.unreadable(path, error)
        }
        guard bytes.count <= Self.sizeLimit else {
            throw ConfigurationProblem(
                file: path, what: "it is longer than \(Self.sizeLimit / 1024) KiB",
                advice: "Split it: each *.yaml in conf.d is read.")
        }
        if let place = Self.firstInvalid(bytes) {
            throw ConfigurationProblem(
                file: path, line: place, what: "this line is not UTF-8",
                advice: "Save the file as UTF-8.")
        }
        self.path = path
        owner = UInt32(status.st_uid)
        text = String(decoding: bytes, as: UTF8.self)
    }

    private static func content(of file: FileDescriptor) throws -> [UInt8] {
        var content: [UInt8] = []
        while content.count <= sizeLimit {
            let chunk = unsafe try [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                count = unsafe try file.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            if chunk.isEmpty { break }
            content += chunk
        }
        return content
    }

    /// The number of the first line that is not UTF-8, or has a NUL in it; nil if all are.
    private static func firstInvalid(_ bytes: [UInt8]) -> Int? {
        guard bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil else {
            return nil
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let index = lines.firstIndex {
            $0.contains(0) || String(validating: $0, as: UTF8.self) == nil
        }
        return (index ?? 0) + 1
    }

    // MARK: - Whom to trust

    /// Opens what must not be a link.
    private static func open(
        _ path: FilePath, _ options: FileDescriptor.OpenOptions
    ) throws(ConfigurationProblem) -> (FileDescriptor, stat) {
        do {
            let descriptor = try FileDescriptor.open(
                path, .readOnly,
                options: [.noFollow, .nonBlocking, .closeOnExec, options])
            var status = stat()
            guard unsafe fstat(descriptor.rawValue, &status) == 0 else {
                let error = Errno(rawValue: errno)
                try? descriptor.close()  // The other error is the one to tell.
                throw error
            }
            return (descriptor, status)
        } catch {
            throw unreadable(path, error)
        }
    }

    private static func unreadable(
        _ path: FilePath, _ error: any Error
    ) -> ConfigurationProblem {
        switch error as? Errno {
        case .tooManySymbolicLinkLevels:
            ConfigurationProblem(
                file: path, what: "it is a symbolic link, and those are not followed",
                advice: "Put the file itself there.")
        case .permissionDenied, .notPermitted:
            ConfigurationProblem(
                file: path, what: "it cannot be read: permission denied",
                advice: "Give it to the user that the service runs as, or let that user read it.")
        case .noSuchFileOrDirectory:
            ConfigurationProblem(
                file: path, what: "there is no such file", advice: "Check the path.")
        case .notDirectory:
            ConfigurationProblem(
                file: path, what: "it is not a directory", advice: "Put a directory in its place.")
        default:
            ConfigurationProblem(
                file: path, what: "it cannot be read: \(error)",
                advice: "Check the file system it lies on.")
        }
    }

    private static func checkAccess(
        _ path: FilePath, _ status: stat, _ places: ConfigurationPlaces
    ) throws(ConfigurationProblem) {
        let owner = UInt32(status.st_uid)
        // mutation: r29e-1
        guard owner == 0 || owner == places.userID else {
            throw ConfigurationProblem(
                file: path,
                what: places.isSystem
                    ? "it belongs to user \(owner), and root reads only what is root's"
                    : "it belongs to another user (\(owner))",
                advice: "Run: chown \(places.isSystem ? "root" : "\(places.userID)") "
                    + "\(path.displayText), after reading what is in it.")
        }
        let mode = UInt32(status.st_mode)
        // A user's own group may write with the usual umask of 002, and has nobody else in it.
        let isOwnGroup = !places.isSystem && UInt32(status.st_gid) == places.groupID
        let others: UInt32 = isOwnGroup ? 0o002 : 0o022
        // mutation: r29e-2
        guard mode & others == 0 else {
            throw ConfigurationProblem(
                file: path,
                what: "others may write to it (mode \(String(mode & 0o7777, radix: 8)))",
                advice: "Run: chmod go-w \(path.displayText), after reading what is in it.")
        }
    }

    /// Checks a directory in the same way; for root, those above it as well, since whoever may rename one
    /// of them decides what is in it.
    ///
    /// - Returns: the names in it by their bytes; nil if there is no such directory.
    static func names(
        in path: FilePath, for places: ConfigurationPlaces
    ) throws(ConfigurationProblem) -> [String]? {
        if access(path) == .noSuchFileOrDirectory { return nil }
        let (descriptor, status) = try open(path, .directory)
        try? descriptor.close()  // Nothing was written through it.
        try checkAccess(path, status, places)
        // mutation: r29e-3
        if places.isSystem {
            var above = path
            while above.removeLastComponent(), !above.isEmpty {
                let (descriptor, status) = try open(above, .directory)
                try? descriptor.close()  // Nothing was written through it.
                // What root has in a directory such as /tmp, nobody else can rename.
                if UInt32(status.st_mode) & UInt32(S_ISVTX) != 0, status.st_uid == 0 { continue }
                try checkAccess(above, status, places)
            }
        }
        do {
            return try list(path)
        } catch {
            throw unreadable(path, error)
        }
    }

    private static func access(_ path: FilePath) -> Errno? {
        var status = stat()
        return unsafe path.withPlatformString { unsafe lstat($0, &status) } == 0
            ? nil : Errno(rawValue: errno)
    }

    /// Whether something is there, of whatever kind.
    package static func exists(_ path: FilePath) -> Bool { access(path) != .noSuchFileOrDirectory }

    private static func list(_ path: FilePath) throws -> [String] {
        guard let stream = unsafe path.withPlatformString({ unsafe opendir($0) }) else {
            throw Errno(rawValue: errno)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        // The entry is valid until the next call, and copied before it.
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    }
}
