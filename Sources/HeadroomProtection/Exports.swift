//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
// The types of other modules in this module's signatures.
@_exported public import enum HeadroomCore.Protection
@_exported public import enum HeadroomCore.ProtectionLevel
#endif
