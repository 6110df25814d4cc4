//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// `import Headroom` is all that an app writes: sizes, marks, plans and receipts come along.
@_exported public import HeadroomEngine
@_exported public import HeadroomPlatform
