//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(CryptoKit)
import CryptoKit
#endif

/// Computes a SHA-256 (FIPS 180-4).
///
/// It tells whether a download is what was expected, which needs neither secrets nor constant time.
/// On Apple platforms the system's; elsewhere our own, since the standard library has none.
package struct SHA256: Sendable {
    #if canImport(CryptoKit)
    private var hash = CryptoKit.SHA256()

    package init() {}

    /// Adds bytes.
    package mutating func update(_ bytes: RawSpan) {
        // The buffer lives as long as the closure.
        unsafe bytes.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
    }

    /// The digest of what went in.
    package consuming func finish() -> SHA256Digest {
        SHA256Digest(unchecked: Array(hash.finalize()))
    }
    #else
    private var block = SHA256Block()
    /// What does not fill a block yet.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    package init() {}

    /// Adds bytes.
    package mutating func update(_ bytes: RawSpan) {
        count &+= UInt64(bytes.byteCount)
        var offset = 0
        if !rest.isEmpty {
            offset = min(64 - rest.count, bytes.byteCount)
            append(bytes, 0..<offset)
            guard rest.count == 64 else { return }
            let full = rest
            unsafe block.add(full.span.bytes, at: 0)
            rest.removeAll(keepingCapacity: true)
        }
        while offset &+ 64 <= bytes.byteCount {
            block.add(bytes, at: offset)
            offset &+= 64
        }
        append(bytes, offset..<bytes.byteCount)
    }

    /// The digest of what went in.
    package consuming func finish() -> SHA256Digest {
        var last = rest
        last.append(0x80)
        while last.count % 64 != 56 { last.append(0) }
        let bits = count &* 8
        for shift in stride(from: 56 as UInt64, through: 0, by: -8) {
            last.append(UInt8(truncatingIfNeeded: bits >> shift))
        }
        for offset in stride(from: 0, to: last.count, by: 64) {
            unsafe block.add(last.span.bytes, at: offset)
        }
        return SHA256Digest(unchecked: block.bytes)
    }

    private mutating func append(_ bytes: RawSpan, _ range: Range<Int>) {
        for offset in range {
            // In bounds: callers stay within the span.
            unsafe rest.append(
                bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt8.self))
        }
    }
    #endif

    package static func digest(of text: String) -> SHA256Digest {
        var hash = SHA256()
        let bytes = Array(text.utf8)
        unsafe hash.update(bytes.span.bytes)
        return hash.finish()
    }
}
