//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine

/// The value of the attribute that carries a mark.
struct MarksTarget: FuzzTarget {
    static let name = "marks"

    func run(_ bytes: [UInt8]) {
        let attribute = MarkAttribute(decoding: bytes)
        if attribute.isDamaged {
            require(attribute.mark.isPinned == true, "damage does not protect")
            require(attribute.hasMarkedFiles, "damage hides marked files")
            return
        }
        require(
            MarkAttribute(decoding: attribute.encoded) == attribute,
            "a mark is not read as it is written")
    }
}
