//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlanning
public import HeadroomPlatform
import SystemPackage

extension Storage {
    /// What would go to free so much, in order, each with its reason. Deletes nothing.
    ///
    ///     for entry in try storage.plan(freeing: .megabytes(100)) {
    ///         print(entry.path, entry.bytes, entry.reason.text)
    ///     }
    ///
    /// `makeRoom(for:intent:)` carries out such plans; it
    /// makes its own, since what was there when this one was made may have changed. Blocks: scans the
    /// app's own areas.
    ///
    /// - Parameters:
    ///   - bytes: what is to be freed, whatever is available now.
    ///   - last: the last class that may be spent.
    /// - Returns: a plan that falls short if there is not as much
    ///   (``HeadroomPlanning/Plan/reachesTarget``).
    /// - Throws: ``StorageError`` if a directory cannot be opened.
    /// - Complexity: O(files in the app's areas).
    public func plan(
        freeing bytes: ByteCount, through last: PurgeableClass = .lastResort
    ) throws(StorageError) -> Plan {
        do {
            let scope = core.workspace.scope()
            // mutation: r10a-1
            return try scope.plan(try scope.scan(), targets: [.free(bytes)], through: last)
        } catch {
            throw StorageError(error)
        }
    }

    /// The same without blocking.
    public func plan(
        freeing bytes: ByteCount, through last: PurgeableClass = .lastResort
    ) async throws(StorageError) -> Plan {
        try await BlockingPool.shared.run { () throws(StorageError) -> Plan in
            try plan(freeing: bytes, through: last)
        }
    }
}
