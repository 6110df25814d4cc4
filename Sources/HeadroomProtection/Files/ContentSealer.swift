//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import Crypto
import HeadroomEngine
import HeadroomPlatform

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Makes a protected file of content that comes in pieces of any size.
///
/// What it hands out, in order, is the file. A chunk is kept back until it is known whether it is the
/// last.
package struct ContentSealer {
    /// Found by measuring: Documentation/Design/0033-protection.md.
    package static let standardChunkExponent: UInt8 = 16

    package let header: ProtectionHeader
    let keys: FileKeys
    private let cipher: ChunkCipher
    private var pending = Data()
    private var index: Int64 = 0
    /// Nonces are numbered: so many may never come.
    private static let chunkLimit: Int64 = 1 << 32

    /// - Throws: ``ProtectionError`` `locked`.
    package init(
        level: ProtectionLevel, bag: KeyBag, chunkExponent: UInt8 = standardChunkExponent
    ) throws(ProtectionError) {
        let fileID = Random.bytes(16)
        // mutation: r36a-4
        let keys = FileKeys(SymmetricKey(size: .bits256), fileID: fileID)
        let plan = FileKeys.Plan(level: level, chunkExponent: chunkExponent, fileID: fileID)
        self.init(keys, try keys.header(plan, bag))
    }

    package init(_ keys: FileKeys, _ header: ProtectionHeader) {
        self.header = header
        self.keys = keys
        cipher = ChunkCipher(keys, header)
    }

    /// What the file begins with.
    package var beginning: Data {
        let slot = header.encoded
        return Data(slot + slot)
    }

    /// Takes content.
    ///
    /// - Parameter emit: is given what follows in the file.
    package mutating func append<Failure: Error>(
        _ bytes: Data, _ emit: (Data) throws(Failure) -> Void
    ) throws {
        let size = header.chunkSize
        var rest = bytes
        if !pending.isEmpty {
            let missing = size - pending.count
            pending.append(rest.prefix(missing))
            rest = rest.dropFirst(missing)
            // Full, but perhaps the last.
            guard !rest.isEmpty else { return }
            try emit(try seal(pending, isLast: false))
            pending.removeAll(keepingCapacity: true)
        }
        while rest.count > size {
            try emit(try seal(rest.prefix(size), isLast: false))
            rest = rest.dropFirst(size)
        }
        pending.append(rest)
    }

    /// Makes all of the file's content of what is in memory, on several threads where it is long.
    ///
    /// - Parameter emit: is given what follows the beginning; on the calling thread.
    package mutating func sealWhole<Failure: Error>(
        _ content: Data, _ emit: (Data) throws(Failure) -> Void
    ) throws {
        precondition(index == 0 && pending.isEmpty, "the file has been begun")
        let chunkSize = header.chunkSize
        let groups = ChunkGroups(size: Int64(content.count), chunkSize: chunkSize)
        guard groups.areWorthThreads, Int64(groups.chunkCount) <= Self.chunkLimit else {
            try append(content, emit)
            return try finish(emit)
        }
        index = Int64(groups.chunkCount)
        let cipher = cipher
        try OrderedWork.run(groups.count, width: ChunkGroups.width) {
            (group) -> Result<[Data], ProtectionError> in
            Result { () throws(ProtectionError) in
                var sealed: [Data] = []
                for number in groups.chunks(of: group) {
                    let start = content.startIndex + number * chunkSize
                    let end = min(start + chunkSize, content.endIndex)
                    sealed.append(
                        try cipher.seal(
                            content[start..<end], index: Int64(number),
                            isLast: number + 1 == groups.chunkCount))
                }
                return sealed
            }
        } deliver: { (sealed) throws in
            for chunk in try sealed.get() { try emit(chunk) }
        }
    }

    /// Ends the file.
    package mutating func finish<Failure: Error>(_ emit: (Data) throws(Failure) -> Void) throws {
        try emit(try seal(pending, isLast: true))
        pending = Data()
    }

    private mutating func seal(_ plain: Data, isLast: Bool) throws(ProtectionError) -> Data {
        guard index < Self.chunkLimit else {
            throw ProtectionError(.unsupported, "The file is too large to be protected.")
        }
        defer { index += 1 }
        return try cipher.seal(plain, index: index, isLast: isLast)
    }
}
#endif
