//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// On which mount something is.
struct MountPlace: Hashable, Sendable {
    let device: UInt64
    let mount: UInt64

    /// - Returns: nil where the system does not tell.
    init?(_ status: FileStatus) {
        guard status.mountID != 0 else { return nil }
        (device, mount) = (status.identity.device, status.mountID)
    }
}
