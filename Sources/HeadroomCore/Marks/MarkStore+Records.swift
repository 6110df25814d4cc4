//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
package import SystemPackage

extension MarkStore {
    /// Whether a file lies among Headroom's own records, by whatever name.
    package func isRecord(_ path: FilePath) -> Bool {
        guard let records = ledger.records,
            let own = try? ResolvedDirectory(records).status.identity,
            let around = try? ResolvedDirectory(path.removingLastComponent())
        else { return false }
        return around.status.identity == own || around.ancestors.contains { $0.identity == own }
    }
}
