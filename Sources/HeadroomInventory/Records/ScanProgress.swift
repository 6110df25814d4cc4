//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
public import SystemPackage

/// What a running scan has seen, and the way to stop it; from any thread.
public final class ScanProgress: Sendable {
    package let walk = WalkProgress()

    public init() {}

    public var files: Int { walk.files }
    public var directories: Int { walk.directories }
    public var allocated: ByteCount { walk.allocated }
    /// A directory that was being read lately.
    public var currentPath: FilePath? { walk.currentPath }
    public var isCancelled: Bool { walk.isCancelled }

    /// Ends the scan soon; its result says that it is not complete.
    public func cancel() { walk.cancel() }
}
