//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What a path occupies that lies outside of what was scanned.
struct ExplainedSize {
    private let path: FilePath
    private let now: Timestamp
    private let own: ByteCount
    private let isDirectory: Bool

    /// How long a directory is walked, since a person waits; the rest of a larger one is not counted.
    private static let patience: Duration = .seconds(5)

    /// Looks at what is there; a link is not followed. Blocks.
    ///
    /// - Throws: ``HeadroomError`` if there is nothing.
    init(_ path: FilePath, now: Timestamp) throws(HeadroomError) {
        self.path = path
        self.now = now
        var status = stat()
        guard unsafe path.withPlatformString({ unsafe lstat($0, &status) }) == 0 else {
            throw HeadroomError("find", path, Errno(rawValue: errno))
        }
        // Whatever a file system in user space says.
        let (bytes, overflow) = Int64(status.st_blocks).multipliedReportingOverflow(by: 512)
        own = overflow ? .zero : ByteCount(bytes)
        isDirectory = UInt32(status.st_mode) & UInt32(S_IFMT) == UInt32(S_IFDIR)
    }

    /// Blocks: walks a directory.
    func measured() throws(HeadroomError) -> ByteCount {
        guard isDirectory else { return own }
        let progress = ScanProgress()
        // Cancelled below.
        let watch = Task {
            guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
            progress.cancel()
        }
        defer { watch.cancel() }
        return try Scanner.totals(
            of: path, options: ScanOptions(now: now), progress: progress
        ).allocated
    }
}
