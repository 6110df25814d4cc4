//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomWorkspace
import SystemPackage

extension StorageCore {
    /// Does something that creates small files, and once more if the volume was full and space could
    /// be freed. Blocks.
    ///
    /// - Parameters:
    ///   - content: the class of the files; their volume follows from it.
    ///   - intent: limits the purge for them; nil: as usual for the class.
    ///   - task: the task, as part of a sentence: `open the cache store tiles`.
    ///   - create: called a second time after a purge.
    /// - Throws: `insufficientSpace`, with the shortage, if nothing could be freed; the errors of `create`.
    func makingRoom<Result>(
        for content: ContentClass, _ intent: Intent? = nil, to task: String,
        _ create: () throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        let cause: Errno
        do {
            return try create()
        } catch {
            // mutation: r25c-1
            guard let full = error.cause, full == .noSpace || full == .diskQuotaExceeded else {
                throw error
            }
            cause = full
        }
        let kept: Reservation?
        do {
            // An index or a few directories; a cache store that needs more makes its own space.
            kept = try room(for: content, intent ?? content.usualIntent).free(
                forWriting: ByteCount(64 << 10), desired: .zero, after: cause, to: task)
        } catch {
            throw StorageError(error)
        }
        defer { extendLifetime(kept) }
        return try create()
    }
}
