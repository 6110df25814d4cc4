//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
import HeadroomPurging
package import SystemPackage

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension Storage {
    /// The storage in a container with a ledger elsewhere, and the trash of a home
    /// around that; for tests and tools.
    package init(
        container: URL, owner: String, ledgerDirectory: FilePath,
        clock: @escaping @Sendable () -> Timestamp = { Timestamp.wallClock() }
    ) throws(StorageError) {
        let plain = try Storage(container: container, owner: owner)
        self.init(
            StorageCore(
                plain.core.places, plain.core.owner,
                trash: TrashPlaces(
                    environment: [:], home: ledgerDirectory.removingLastComponent()),
                ledgerDirectory: ledgerDirectory, clock: clock))
    }
}
