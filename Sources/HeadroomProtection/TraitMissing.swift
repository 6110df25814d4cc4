//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !Protection
/// Built without the trait, this module has nothing to encrypt with.
@available(
    *, unavailable,
    message: "enable the trait: .package(url: …, from: …, traits: [\"Protection\"])"
)
public enum KeyBag {}
#endif
