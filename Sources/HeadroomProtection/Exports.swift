//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
// Levels come along with what is saved under them.
@_exported public import Headroom
@_exported public import enum HeadroomCore.Protection
@_exported public import enum HeadroomCore.ProtectionLevel
#endif
