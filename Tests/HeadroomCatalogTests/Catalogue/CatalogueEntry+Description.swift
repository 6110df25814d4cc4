//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
public import Testing

extension CatalogueEntry: CustomTestStringConvertible {
    // The default description of an entry has thousands of characters.
    public var testDescription: String { id }
}
