//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// Whether others have written to a log, found out by one call to the system.
package struct LogWatch: Sendable {
    private let directory: StateDirectory
    private let name: String
    private let identity: FileIdentity
    /// What the file had when it was last read.
    package let length: UInt64

    init(_ name: String, in directory: StateDirectory, _ identity: FileIdentity, length: UInt64) {
        self.directory = directory
        self.name = name
        self.identity = identity
        self.length = length
    }

    /// The same file, read up to there.
    package func advanced(to length: UInt64) -> LogWatch {
        LogWatch(name, in: directory, identity, length: length)
    }

    /// Whether something was appended, or another file, or none, has the name now.
    package var hasNews: Bool {
        // By its name: the one that was read may have another, and be as it was for ever.
        guard let status = try? directory.status(of: name) else { return true }
        return UInt64(clamping: status.logicalSize.bytes) != length || status.identity != identity
    }
}
