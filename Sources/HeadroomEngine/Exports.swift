//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_exported public import HeadroomCache
@_exported public import HeadroomCatalog
@_exported public import HeadroomCore
@_exported public import HeadroomInventory
@_exported public import HeadroomPlanning
@_exported public import HeadroomPolicies
@_exported public import HeadroomPurging
@_exported public import HeadroomWorkspace
