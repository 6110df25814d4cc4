//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCatalog
public import HeadroomCore

extension LeftoverPattern {
    /// What comes with Headroom.
    public static let standard = parse(EmbeddedLeftovers.temporary)
}
