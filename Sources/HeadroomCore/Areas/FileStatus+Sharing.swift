//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

extension FileStatus {
    /// A directory in which all may write and each may remove only what is theirs, such as `/tmp`:
    /// only the user's own entries in it are candidates.
    public var isSharedSticky: Bool {
        type == .directory && permissions & 0o1002 == 0o1002
    }
}
