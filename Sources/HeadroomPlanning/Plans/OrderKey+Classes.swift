//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomInventory

extension OrderKey {
    static func plannedClass(of key: UInt64) -> PlannedClass {
        switch Rank(rawValue: key >> rankShift) {
        case .temporary: .temporary
        case .cache: .cache
        case .expiredTrash, .olderTrash: .trash
        case .lastResort, nil: .lastResort
        }
    }
}
