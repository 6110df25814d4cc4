//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What Headroom uses of CryptoKit, declared in our own words; see swift-crypto.

public import Foundation

public protocol Digest: Sequence, Hashable where Element == UInt8 {}

public struct SHA256Digest: Digest, ContiguousBytes {
    public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
    public func withUnsafeBytes<R>(
        _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R { preconditionFailure("a stub") }
}

public struct SHA256: Sendable {
    public typealias Digest = SHA256Digest
    public init() {}
    public mutating func update<D: DataProtocol>(data: D) {}
    @unsafe public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> SHA256Digest { SHA256Digest() }
    public static func hash<D: DataProtocol>(data: D) -> SHA256Digest { SHA256Digest() }
}
