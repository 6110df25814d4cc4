//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform

/// The secret that fingerprints of one inventory are made with.
///
/// Keyed, so that nobody can prepare a file that passes for another one.
public struct FingerprintKey: Hashable, Sendable {
    @usableFromInline package let first: UInt64
    @usableFromInline package let second: UInt64

    package init(_ first: UInt64, _ second: UInt64) {
        self.first = first
        self.second = second
    }

    /// Draws a key from the system's generator.
    public static func random() -> FingerprintKey {
        var generator = SystemRandomNumberGenerator()
        return FingerprintKey(generator.next(), generator.next())
    }
}

/// Eight bytes that stand for the identity and state of a file: device, inode, size, mtime, ctime.
///
/// Equal fingerprints mean that the file is what was planned (safety invariant S4): any write,
/// rename, change of mode, owner, links or attributes changes its ctime. SipHash-1-3 over the five
/// fields; https://www.aumasson.jp/siphash/siphash.pdf.
public struct Fingerprint: Hashable, Sendable {
    package var rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    @inline(__always)
    package init(_ status: FileStatus, key: FingerprintKey) {
        var hasher = SipHasher(key)
        hasher.combine(status.identity.device)
        hasher.combine(status.identity.inode)
        // A directory's size says nothing that its mtime does not.
        let size = status.type == .directory ? 0 : status.logicalSize.bytes
        hasher.combine(UInt64(bitPattern: size) << 3 ^ UInt64(status.type.rawValue))
        hasher.combine(UInt64(bitPattern: status.modified.nanoseconds))
        // mutation: s4a-2
        hasher.combine(UInt64(bitPattern: status.changed.nanoseconds))
        rawValue = hasher.finish()
    }
}

/// SipHash with one compression and three finalization rounds over whole 64-bit words.
public struct SipHasher {
    @usableFromInline var v0: UInt64
    @usableFromInline var v1: UInt64
    @usableFromInline var v2: UInt64
    @usableFromInline var v3: UInt64
    @usableFromInline var words: UInt64 = 0

    @inlinable @inline(__always)
    public init(_ key: FingerprintKey) {
        v0 = key.first ^ 0x736f_6d65_7073_6575
        v1 = key.second ^ 0x646f_7261_6e64_6f6d
        v2 = key.first ^ 0x6c79_6765_6e65_7261
        v3 = key.second ^ 0x7465_6462_7974_6573
    }

    @inlinable @inline(__always)
    public mutating func combine(_ word: UInt64) {
        v3 ^= word
        round()
        v0 ^= word
        words &+= 1
    }

    @inlinable @inline(__always)
    public mutating func finish() -> UInt64 {
        combine(words << 59)
        v2 ^= 0xff
        round()
        round()
        round()
        return v0 ^ v1 ^ v2 ^ v3
    }

    @inlinable @inline(__always)
    mutating func round() {
        v0 &+= v1
        v1 = (v1 << 13 | v1 >> 51) ^ v0
        v0 = v0 << 32 | v0 >> 32
        v2 &+= v3
        v3 = (v3 << 16 | v3 >> 48) ^ v2
        v0 &+= v3
        v3 = (v3 << 21 | v3 >> 43) ^ v0
        v2 &+= v1
        v1 = (v1 << 17 | v1 >> 47) ^ v2
        v2 = v2 << 32 | v2 >> 32
    }
}
