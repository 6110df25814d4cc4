//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ProtectedFile {
    /// Reads content; less than asked for only at the end.
    ///
    /// - Throws: ``ProtectionError`` `locked` if its level was locked since it was opened; `damaged`;
    ///   `invalid` for a place before the beginning; `io`.
    public func read(at offset: Int64, count: Int) throws(ProtectionError) -> Data {
        guard let range = try range(offset, Int64(count)) else {
            // Nothing is read, but who may not read is told so.
            _ = try keys()
            return Data()
        }
        let chunkSize = Int64(header.chunkSize)
        let first = range.lowerBound / chunkSize
        if first == (range.upperBound - 1) / chunkSize {
            let plain = try chunk(first)
            let start = plain.startIndex + Int(range.lowerBound - first * chunkSize)
            return Data(plain[start..<start + range.count])
        }
        var content = Data(capacity: range.count)
        do {
            try eachPart(range) { content.append($0) }
        } catch let error as ProtectionError {
            throw error
        } catch {
            throw ProtectionError(.io, "Could not read \(path.displayText): \(error).")
        }
        return content
    }

    /// Reads content in order and hands it out in pieces, of which few are in memory. What is long is
    /// decrypted on several threads; the closure is called on the caller's.
    ///
    /// - Throws: ``ProtectionError`` as ``read(at:count:)``; what the closure throws.
    public func readPieces(
        at offset: Int64 = 0, count: Int64 = .max, _ body: (Data) throws -> Void
    ) throws {
        guard let range = try range(offset, count) else { return }
        try eachPart(range, body)
    }

    /// - Returns: nil if nothing of the content lies in it.
    private func range(
        _ offset: Int64, _ count: Int64
    ) throws(ProtectionError) -> Range<Int64>? {
        guard offset >= 0, count >= 0 else {
            throw ProtectionError(
                .invalid, "\(path.displayText) cannot be read at \(offset), for \(count) bytes.")
        }
        let (sum, isOver) = offset.addingReportingOverflow(count)
        let end = isOver ? size : min(size, sum)
        return offset < end ? offset..<end : nil
    }

    /// Calls back with the content of a range, chunk by chunk.
    private func eachPart(_ range: Range<Int64>, _ body: (Data) throws -> Void) throws {
        let chunkSize = Int64(header.chunkSize)
        let first = range.lowerBound / chunkSize
        let last = (range.upperBound - 1) / chunkSize
        let chunks = ChunkGroups(chunks: Int(first)..<Int(last) + 1, chunkSize: Int(chunkSize))
        let inside: @Sendable (Int, Data) -> Data = { number, plain in
            let start = Int64(number) * chunkSize
            let part =
                Int(
                    max(0, range.lowerBound - start))..<Int(
                    min(chunkSize, range.upperBound - start))
            return plain.inside(part)
        }
        guard chunks.areWorthThreads else {
            var buffer = Data()
            for number in Int(first)...Int(last) {
                try body(inside(number, try chunk(Int64(number), in: &buffer, try keys())))
            }
            return
        }
        let keys = try keys()
        try OrderedWork.run(chunks.count, width: ChunkGroups.width) {
            (group) -> Result<[Data], ProtectionError> in
            Result { () throws(ProtectionError) in
                var buffer = Data()
                var plain: [Data] = []
                for number in chunks.chunks(of: group) {
                    plain.append(
                        inside(number, try self.chunk(Int64(number), in: &buffer, keys)))
                }
                return plain
            }
        } deliver: { (plain) throws in
            // What was locked meanwhile is not handed out any more.
            _ = try self.keys()
            for piece in try plain.get() { try body(piece) }
        }
    }

    /// The chunk that was read last is kept: reading small parts in order decrypts each once.
    func chunk(_ index: Int64) throws(ProtectionError) -> Data {
        let keys = try keys()
        if let plain = slot.latest(index) { return plain }
        var buffer = Data()
        let plain = try chunk(index, in: &buffer, keys)
        slot.keep(plain, index)
        return plain
    }

    /// - Parameter buffer: used again for the next, where it has the size.
    private func chunk(
        _ index: Int64, in buffer: inout Data, _ keys: FileKeys
    ) throws(ProtectionError) -> Data {
        let chunkSize = Int64(header.chunkSize)
        let length = Int(min(chunkSize, size - index * chunkSize)) + ProtectionHeaderArea.tagSize
        let place =
            Int64(ProtectionHeaderArea.size)
            + index * (chunkSize + Int64(ProtectionHeaderArea.tagSize))
        let needed = ChunkCipher.nonceSize + length
        if buffer.count != needed { buffer = Data(count: needed) }
        // Data has no form of this that forwards typed errors.
        let result: Result<Int, Errno> = unsafe buffer.withUnsafeMutableBytes { bytes in
            let target = unsafe UnsafeMutableRawBufferPointer(
                rebasing: bytes[ChunkCipher.nonceSize...])
            do throws(Errno) {
                return .success(unsafe try file.read(into: target, at: UInt64(place)))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(length): break
        case .success: throw .damaged(path, "it was cut off while it was read")
        case .failure(let error): throw ProtectionError("read", path, error)
        }
        let isLast = (index + 1) * chunkSize >= size
        guard
            let plain = ChunkCipher(keys, header).open(&buffer, index: index, isLast: isLast)
        else {
            throw .damaged(
                path, "the part that begins at byte \(index * chunkSize) is not as it was written")
        }
        return plain
    }

    /// The file's keys; unwrapped once more if things were locked and unlocked since.
    private func keys() throws(ProtectionError) -> FileKeys {
        if let keys = slot.current { return keys }
        let keys = try bag.fill(slot, header.level) { (secret) throws(ProtectionError) in
            guard let keys = FileKeys.unwrap(header, with: secret) else {
                throw .damaged(path, "its header is not as it was written")
            }
            return keys
        }
        guard let keys else { throw .locked(path, header.level) }
        return keys
    }
}

extension Data {
    /// A part, by offsets from the beginning.
    fileprivate func inside(_ range: Range<Int>) -> Data {
        range.count == count
            ? self : self[startIndex + range.lowerBound..<startIndex + range.upperBound]
    }
}
#endif
