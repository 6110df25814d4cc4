//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// Whether others have written to a log, found out by one call to the system.
package struct LogWatch: Sendable {
    private let file: SharedFile
    /// What the file had when it was last read.
    package let length: UInt64

    init(_ descriptor: consuming Descriptor, length: UInt64) {
        file = SharedFile(owning: descriptor)
        self.length = length
    }

    private init(_ file: SharedFile, length: UInt64) {
        self.file = file
        self.length = length
    }

    /// The same file, read up to there.
    package func advanced(to length: UInt64) -> LogWatch { LogWatch(file, length: length) }

    /// Whether something was appended, or the file was replaced by another.
    package var hasNews: Bool {
        guard let status = try? file.status() else { return true }
        return UInt64(clamping: status.logicalSize.bytes) != length || status.linkCount == 0
    }
}
