//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import Synchronization

/// How far the import of a listing is, and the way to stop it; from any thread.
final class ListingProgress: Sendable {
    private let files = Atomic<Int>(0)
    private let bytes = Atomic<Int64>(0)
    private let cancelled = Atomic<Bool>(false)

    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func cancel() { cancelled.store(true, ordering: .relaxed) }

    func note(_ event: NcduEvent) {
        guard case .file(let entry) = event else { return }
        files.add(1, ordering: .relaxed)
        bytes.wrappingAdd(entry.allocatedSize.bytes, ordering: .relaxed)
    }

    var state: ProgressState {
        ProgressState(
            count: files.load(ordering: .relaxed), noun: "files",
            bytes: ByteCount(bytes.load(ordering: .relaxed)))
    }
}
