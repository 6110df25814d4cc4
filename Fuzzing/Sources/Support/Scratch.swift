//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
public import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A directory in memory where that can be had, for parsers that read files.
public struct Scratch: Sendable {
    public let path: FilePath

    /// - Parameter name: of the target: each has its own.
    public init(_ name: String) throws {
        let base = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        path = FilePath("\(base)/headroom-fuzz-\(name)-\(getpid())")
        _ = unsafe path.withPlatformString { unsafe mkdir($0, 0o700) }
    }

    /// Writes a file anew.
    public func write(_ bytes: [UInt8], to name: String) throws {
        let file = try FileDescriptor.open(
            path.appending(name), .writeOnly, options: [.create, .truncate],
            permissions: [.ownerReadWrite])
        try file.closeAfter { _ = try file.writeAll(bytes) }
    }

    /// Makes a directory in it, if there is none.
    public func makeDirectory(_ name: String) {
        _ = unsafe path.appending(name).withPlatformString { unsafe mkdir($0, 0o700) }
    }

    public func remove(_ name: String) {
        _ = unsafe path.appending(name).withPlatformString { unsafe unlink($0) }
    }
}

/// Takes numbers and bytes from an input, zeros when it has ended.
struct InputReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func number(_ bytes: Int) -> Int {
        (0..<bytes).reduce(0) { number, _ in number << 8 | Int(byte()) }
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func remaining() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}

enum Checksum {
    static func crc32c(_ bytes: [UInt8]) -> [UInt8] {
        var sum = CRC32C()
        unsafe bytes.withUnsafeBytes { bytes in
            // The span does not leave the closure.
            unsafe sum.update(bytes.bytes)
        }
        return (0..<4).map { UInt8(truncatingIfNeeded: sum.value >> (8 * $0)) }
    }
}
