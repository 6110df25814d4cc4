//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
package import HeadroomPlatform
import Synchronization

/// Looks at the memory of secrets in the moment before it is given back, when it must be wiped.
///
/// Later nobody can: what the system hands out again is zeros in any case.
package enum WipedPages {
    /// What became of a secret's memory.
    package enum Fate: Hashable, Sendable {
        /// It is still there.
        case kept
        /// Nothing but zeros was in it when it was given back.
        case wiped
        /// Something else was.
        case left
    }

    private static let fates = Mutex<[UInt: Fate]>([:])

    private static let installed: Void = unsafe hr_secret_set_witness { base, size in
        let isWiped = unsafe UnsafeRawBufferPointer(start: base, count: size)
            .allSatisfy { $0 == 0 }
        let page = UInt(bitPattern: base)
        WipedPages.note(page, isWiped ? .wiped : .left)
    }

    /// Looks out for the end of a secret's memory.
    ///
    /// - Returns: what to ask for it by: its address.
    package static func watch(_ secret: SecretBytes) -> UInt {
        _ = installed
        let page = unsafe secret.withBytes { UInt(bitPattern: $0.baseAddress) }
        fates.withLock { $0[page] = .kept }
        return page
    }

    /// - Returns: nil for an address that was never watched.
    package static func fate(of page: UInt) -> Fate? { fates.withLock { $0[page] } }

    /// The first end is that of what is watched; who comes later has got the same address.
    private static func note(_ page: UInt, _ fate: Fate) {
        fates.withLock { fates in
            if fates[page] == .kept { fates[page] = fate }
        }
    }
}
