//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCache
public import HeadroomCore
import HeadroomPlatform
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A disk cache that keeps its limit at every moment.
///
///     let thumbnails = try await storage.cacheStore(named: "Thumbnails", limit: .megabytes(200))
///     try await thumbnails.put(png, for: url.absoluteString)
///     let png = try await thumbnails.data(for: url.absoluteString)
///
/// Small values are packed into few files, large ones have a file each; an index in memory finds
/// them, 46 to 58 bytes a value. What is given back is what was put: key and checksum are compared each
/// time, and what is damaged is not there. Keys are compared byte by byte. When the limit is reached what is
/// temporary goes first, then caches, last what is marked as last resort; in each class what has expired, then by
/// the `CachePolicy`.
/// When the volume is low on space it gives some back by itself.
///
/// A process that is killed loses nothing that it had put; a machine that crashes, what the
/// `CacheDurability` allows. Any file of the store may be lost or damaged: it costs what was in it, and a
/// lost index is made again from the files, in the background. Several processes may use a store: a get that begins
/// when a put or a removal has returned, in whichever of them, sees it, or something newer, or nothing.
///
/// The synchronous calls block for as long as the disk takes, and are for threads of the caller's own; the
/// asynchronous ones do the same on threads of the library's. Any thread may call.
public final class CacheStore: Sendable {
    let core: StoreCore

    /// Opens the store in a directory; makes it if there is none.
    ///
    /// - Throws: ``StorageError`` `refused` for options that cannot be; `notPermitted`, `io`.
    /// - Complexity: O(entries), some 40 ns each: its index file is read. Nothing else is before it
    ///   returns, unless a process was killed or files were lost; a thread then lists the directory.
    public init(at url: URL, _ options: CacheOptions) throws(StorageError) {
        do {
            core = try StoreCore(at: FilePath(url.path), options)
        } catch {
            throw StorageError(error)
        }
    }

    /// The same without blocking.
    public convenience init(at url: URL, _ options: CacheOptions) async throws(StorageError) {
        let path = FilePath(url.path)
        self.init(
            try await BlockingPool.shared.run { () throws(StorageError) -> StoreCore in
                do throws(HeadroomError) {
                    return try StoreCore(at: path, options)
                } catch {
                    throw StorageError(error)
                }
            })
    }

    /// Takes a store that has been opened.
    package init(_ core: StoreCore) {
        self.core = core
    }

    deinit {
        // Of use to the next who opens it; without it that costs a look at what was written last. It waits for the
        // disk and for locks, and whoever lets go of the store must not. From here on the log is not made anew: whoever
        // has closed the store before may remove its directory at once.
        StoreEndings.end(core)
    }

    /// Writes down what is only in memory, so that the next to open it has nothing to look for, and makes
    /// it durable unless the store's durability is `none`. Blocks.
    ///
    /// The store can be used on. When the last reference to it goes this is done as well, on a thread of the
    /// library's for which nobody waits but who opens the same directory again: call it where the process is
    /// about to end, or where what was put last has to be on disk.
    ///
    /// Call it, too, and let go of the store, before its directory is removed. Where nothing is put, removed or
    /// shrunk between the two, no file comes or goes there after the last reference has: it is only written to
    /// what is there. Without `close()` files may come and go for a moment while the directory is removed, and
    /// removing it may fail (`ENOTEMPTY`, `ENOENT`) and has to be tried again; so it may after files of the
    /// store were lost, unless `finishRebuilding()` came before `close()`. In no case is a directory that has
    /// been removed there again.
    ///
    /// - Throws: ``StorageError`` `io` and others if something could not be written; nothing that was put is lost by
    ///   that, and it is written with what is told next.
    public func close() throws(StorageError) {
        do throws(Errno) {
            try core.close()
        } catch {
            throw StorageError(HeadroomError("close the cache store", core.path, error))
        }
    }

    /// The same without blocking.
    public func close() async throws(StorageError) {
        try await BlockingPool.shared.run { () throws(StorageError) in try self.close() }
    }

    /// What it has done since it was opened, and what it holds.
    public var statistics: CacheStatistics { core.statistics }

    /// Bytes of memory that the index takes.
    public var indexMemory: Int { core.indexMemory }

    /// Gives bytes back to the volume, in the order in which values go, and in memory what can be had
    /// again; for a memory warning with no bytes. Blocks.
    ///
    /// - Parameters:
    ///   - bytes: on disk.
    ///   - purgeClass: the class whose values go last.
    /// - Returns: the bytes on disk; fewer than asked for if nothing more may go.
    @discardableResult
    public func shrink(
        by bytes: ByteCount, through purgeClass: PurgeableClass = .cache
    ) -> ByteCount {
        core.releaseMemory()
        return ByteCount(core.shrink(by: bytes.bytes, through: purgeClass))
    }

    /// The same without blocking.
    @discardableResult
    public func shrink(
        by bytes: ByteCount, through purgeClass: PurgeableClass = .cache
    ) async -> ByteCount {
        await BlockingPool.shared.run { self.shrink(by: bytes, through: purgeClass) }
    }

    /// Returns when what lies in files that the index did not know of is known, after one was lost. Blocks.
    public func finishRebuilding() { core.finishSweeping() }

    /// The same without blocking.
    public func finishRebuilding() async {
        await BlockingPool.shared.run { self.finishRebuilding() }
    }

    /// Calls `body` with the bytes of a key, and translates errors.
    func withKey<R>(
        _ key: String, _ body: (RawSpan) throws(HeadroomError) -> R
    ) throws(StorageError) -> R {
        var key = key
        let result = key.withUTF8 { bytes -> Result<R, HeadroomError> in
            do throws(HeadroomError) {
                // Lives as long as the closure.
                return .success(try body(unsafe RawSpan(_unsafeElements: bytes)))
            } catch {
                return .failure(error)
            }
        }
        do {
            return try result.get()
        } catch {
            throw StorageError(error)
        }
    }
}
