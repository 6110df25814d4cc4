//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCache
import HeadroomCore
import HeadroomPlatform
import Synchronization
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CacheStore {
    /// Puts what a stream delivers under a key, once it is whole. Does not block; one piece is in memory.
    ///
    /// - Throws: ``StorageError`` as for data; what the stream throws; `CancellationError`. What was under
    ///   the key is still there then.
    public func put<Stream: AsyncSequence>(
        _ stream: Stream, for key: String, _ attributes: CacheAttributes = CacheAttributes()
    ) async throws where Stream.Element: ContiguousBytes & Sendable {
        // Other values may have to go for it before, and files when it breaks off.
        let writer = try await BlockingPool.shared.run { () throws(StorageError) in
            try self.writer(key, attributes)
        }
        do {
            for try await piece in stream {
                try Task.checkCancellation()
                try await BlockingPool.shared.run { () throws(StorageError) in
                    try writer.append(piece)
                }
            }
            try Task.checkCancellation()
        } catch {
            await BlockingPool.shared.run { writer.cancel() }
            throw error
        }
        try await BlockingPool.shared.run { () throws(StorageError) in try writer.commit() }
    }

    /// Puts a copy of a file under a key. Blocks.
    ///
    /// - Throws: ``StorageError`` as for data; `notFound` and others for the file, and `io` if somebody writes to
    ///   it meanwhile: half of one and half of the other is not put.
    public func put(
        contentsOf url: URL, for key: String, _ attributes: CacheAttributes = CacheAttributes()
    ) throws(StorageError) {
        let path = FilePath(url.path)
        let writer = try writer(key, attributes)
        do throws(StorageError) {
            let file = try Self.opened(path)
            let before = try Self.state(of: file, path)
            try writer.expect(before.size)
            var offset: UInt64 = 0
            while true {
                let bytes = try Self.bytes(of: file, path, at: offset)
                if bytes.isEmpty { break }
                try writer.append(bytes)
                offset += UInt64(bytes.count)
            }
            guard try Self.state(of: file, path) == before else {
                throw StorageError(
                    HeadroomError(
                        .io,
                        "Could not put \(path.displayText) into the cache store: it changed while it was read. "
                            + "Put it when nobody writes to it."))
            }
            try writer.commit()
        } catch {
            writer.cancel()
            throw error
        }
    }

    private static func opened(_ path: FilePath) throws(StorageError) -> SharedFile {
        do throws(Errno) {
            return SharedFile(owning: try Descriptor.openFile(path))
        } catch {
            throw StorageError(HeadroomError("open", path, error))
        }
    }

    /// What is another one once somebody has written to it.
    private static func state(
        of file: SharedFile, _ path: FilePath
    ) throws(StorageError) -> (size: ByteCount, modified: Timestamp) {
        do throws(Errno) {
            let status = try file.status()
            return (status.logicalSize, status.modified)
        } catch {
            throw StorageError(HeadroomError("read", path, error))
        }
    }

    private static func bytes(
        of file: SharedFile, _ path: FilePath, at offset: UInt64
    ) throws(StorageError) -> [UInt8] {
        do throws(Errno) {
            return try file.available(1 << 18, at: offset)
        } catch {
            throw StorageError(HeadroomError("read", path, error))
        }
    }

    /// The same without blocking.
    public func put(
        contentsOf url: URL, for key: String, _ attributes: CacheAttributes = CacheAttributes()
    ) async throws(StorageError) {
        try await BlockingPool.shared.run { () throws(StorageError) in
            try self.put(contentsOf: url, for: key, attributes)
        }
    }

    private func writer(
        _ key: String, _ attributes: CacheAttributes
    ) throws(StorageError) -> SerialWriter {
        try withKey(key) { key throws(HeadroomError) in
            SerialWriter(try core.write(key, attributes))
        }
    }
}

/// A value that comes bit by bit, from one thread after the other.
private final class SerialWriter: @unchecked Sendable {  // Each call is awaited before the next.
    private let writer: StoreWriter

    init(_ writer: StoreWriter) {
        self.writer = writer
    }

    func expect(_ bytes: ByteCount) throws(StorageError) {
        do {
            try writer.expect(bytes)
        } catch {
            throw StorageError(error)
        }
    }

    func append(_ bytes: some ContiguousBytes) throws(StorageError) {
        var failure: HeadroomError?
        unsafe bytes.withUnsafeBytes { bytes in
            do throws(HeadroomError) {
                // Lives as long as the closure.
                try writer.append(unsafe RawSpan(_unsafeBytes: bytes))
            } catch {
                failure = error
            }
        }
        if let failure { throw StorageError(failure) }
    }

    func commit() throws(StorageError) {
        do {
            try writer.commit()
        } catch {
            throw StorageError(error)
        }
    }

    func cancel() { writer.cancel() }
}
