//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import Testing

extension CatalogueEntry: @retroactive CustomTestStringConvertible {
    // The default description of an entry has thousands of characters.
    public var testDescription: String { id }
}
