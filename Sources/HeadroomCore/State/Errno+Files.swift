//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

extension Errno {
    /// There is no regular file of that name, whatever else there is.
    package var isNoSuchFile: Bool {
        [
            .noSuchFileOrDirectory, .invalidArgument, .isDirectory, .tooManySymbolicLinkLevels,
            .noSuchAddressOrDevice, .illegalSeek,
        ].contains(self)
    }
}
