//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
public import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A new empty directory that is removed with all it contains when its owner goes away, also when
/// the test throws.
///
/// Keep it in a stored property of the suite, or work inside ``with(on:_:)``:
///
///     struct ScannerTests {
///         let directory: TemporaryDirectory
///         init() throws { directory = try TemporaryDirectory(on: .memory) }
public final class TemporaryDirectory: Sendable {
    /// What kind of storage the directory is made on.
    public enum Base: Sendable {
        /// `TMPDIR`, or `/tmp`: usually a disk.
        case disk
        /// `/dev/shm`, a tmpfs, where there is one; else as ``disk``.
        case memory
        /// A directory that exists.
        case at(FilePath)

        /// The directory in which temporary ones are made.
        public var path: FilePath {
            switch self {
            case .disk:
                let variable = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
                return FilePath(variable.isEmpty ? "/tmp" : variable)
            case .memory:
                return unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : Base.disk.path
            case .at(let path):
                return path
            }
        }
    }

    /// The absolute path of the directory.
    public let path: FilePath

    /// The tree below it.
    public var tree: Tree { Tree(root: path) }

    /// Makes a directory of mode 0700 with a name of its own.
    public init(on base: Base = .disk) throws {
        let template = base.path.appending("headroom-test-XXXXXX")
        var bytes: [CChar] = unsafe template.withPlatformString {
            unsafe Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1))
        }
        let made = unsafe bytes.withUnsafeMutableBufferPointer { buffer -> FilePath? in
            guard let base = buffer.baseAddress, unsafe mkdtemp(base) != nil else { return nil }
            return unsafe FilePath(platformString: base)
        }
        guard let made else {
            throw FixtureError("mkdtemp", on: template.description, errno: .current)
        }
        path = made
    }

    deinit {
        // A store in it that was just let go writes its index file once more.
        StoreEndings.wait(below: path)
        // The directory around it may have been removed first.
        if unsafe path.withPlatformString({ unsafe access($0, F_OK) }) != 0, errno == ENOENT {
            return
        }
        do {
            try TreeWalk(root: path).removeContents()
        } catch {
            // Nothing can be thrown here; what is left behind must be seen.
            Self.warn("temporary directory left behind: \(path): \(error)\n")
        }
        if unsafe path.withPlatformString({ unsafe rmdir($0) }) != 0, errno != ENOENT {
            Self.warn("temporary directory left behind: \(path): \(Errno.current)\n")
        }
    }

    private static func warn(_ text: String) {
        _ = unsafe Array(text.utf8).withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    }

    /// Calls `body` with a new directory and removes it afterwards, whatever happens.
    public static func with<R>(
        on base: Base = .disk, _ body: (TemporaryDirectory) throws -> R
    ) throws -> R {
        let directory = try TemporaryDirectory(on: base)
        return try withExtendedLifetime(directory) { try body(directory) }
    }

    /// Calls `body` with a new directory and removes it afterwards, whatever happens.
    public static func with<R>(
        on base: Base = .disk, _ body: (TemporaryDirectory) async throws -> R
    ) async throws -> R {
        let directory = try TemporaryDirectory(on: base)
        defer { withExtendedLifetime(directory) {} }
        return try await body(directory)
    }
}
