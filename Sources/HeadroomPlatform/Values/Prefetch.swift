//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims

/// Has the processor bring memory near that is asked for in a moment, while the program does something else.
package enum Prefetch {
    /// The cache line in which an address lies, which may be any: nothing is read from it.
    package static func line(of address: UnsafeRawPointer) { unsafe hr_prefetch(address) }
}
