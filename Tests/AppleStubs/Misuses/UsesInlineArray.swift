//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// on: macOS iOS tvOS watchOS visionOS
// fails: 'InlineArray' is only available in .* 26\.0 or newer

func four() -> InlineArray<4, UInt8> { InlineArray(repeating: 0) }
