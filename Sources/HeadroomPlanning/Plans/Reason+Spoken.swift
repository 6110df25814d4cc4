//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory

extension Reason.Code {
    /// Why something stays, as part of a sentence.
    var spokenCause: String {
        switch self {
        case .special: "something is neither a file, a link nor a directory"
        case .immutable: "something is immutable or append-only"
        case .foreignOwner: "something belongs to another user, in a directory shared by all"
        case .pinned: "something is pinned"
        case .mountPoint: "something is mounted"
        case .unreadable: "something cannot be read"
        case .nestedArea: "there is an area of its own"
        case .unitBusy: "something is left over from a purge"
        case .notPermitted: "a directory can't be written to"
        case .readOnly: "its volume is mounted read-only"
        case .structure: "something works only as a whole"
        default: "something is essential"
        }
    }
}
