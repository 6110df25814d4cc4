//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import HeadroomPurging
import Synchronization
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Storage {
    /// Gives a closure a file of its own that is removed when it ends, also when it throws.
    ///
    /// The file is empty, readable for this user only, and not purged meanwhile. If the closure moves
    /// it away it stays where it was moved to. What a process that dies leaves is removed by the next
    /// ``start(version:interval:)``. Blocks.
    ///
    /// - Parameters:
    ///   - suffix: what its name ends with, such as `upload.mov`.
    ///   - body: is given where it is; it is open to whatever writes to files.
    /// - Throws: ``StorageError`` `insufficientSpace`, `invalidName`, `notPermitted`, `io`; what the
    ///   closure throws.
    public func withTemporaryFile<Result>(
        named suffix: String = "", _ body: (URL) throws -> Result
    ) throws -> Result {
        let file = try makeTemporaryFile(suffix)
        let url = core.places.temporary.appending(file.name)
        // Without a lease it may be purged if nobody has it open; the volume is short then.
        let lease = try? Lease.acquire(url)
        let result = Swift.Result { try body(URL(filePath: url.string)) }
        if let lease { lease.release() }
        withExtendedLifetime(file) {}
        return try result.get()
    }

    /// The same for work that waits; does not block.
    public func withTemporaryFile<Result>(
        named suffix: String = "", _ body: (URL) async throws -> Result
    ) async throws -> Result {
        let held = try await BlockingPool.shared.run { () throws(StorageError) -> HeldFile in
            let file = try makeTemporaryFile(suffix)
            let path = core.places.temporary.appending(file.name)
            return HeldFile(file, path, try? Lease.acquire(path))
        }
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body(URL(filePath: held.path.string)))
        } catch {
            result = .failure(error)
        }
        await BlockingPool.shared.run { held.remove() }
        return try result.get()
    }

    private func makeTemporaryFile(_ suffix: String) throws(StorageError) -> TemporaryFile {
        if !suffix.isEmpty {
            let name = try RelativeName(suffix)
            guard !name.isInDirectory, suffix.utf8.count <= 200 else {
                throw StorageError(
                    .invalidName,
                    "“\(suffix)” cannot end the name of a temporary file: it contains “/” or is "
                        + "longer than 200 bytes. Use a name such as “upload.mov”.")
            }
        }
        return try core.makingRoom(for: .temporary, to: "create a temporary file") {
            () throws(StorageError) in
            do throws(Errno) {
                return try TemporaryFile(in: try core.open(.temporary), suffix: suffix)
            } catch {
                throw StorageError(
                    HeadroomError("make a temporary file in", core.places.temporary, error))
            }
        }
    }
}

/// A temporary file that is kept over a suspension, by two locks that the kernel would release.
private final class HeldFile: Sendable {
    let path: FilePath
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var file: TemporaryFile?
        var lease: Lease?
    }

    init(_ file: TemporaryFile, _ path: FilePath, _ lease: consuming sending Lease?) {
        self.path = path
        state = Mutex(State(file: file, lease: lease))
    }

    func remove() {
        state.withLock { state in
            state.lease = nil
            state.file = nil
        }
    }
}
