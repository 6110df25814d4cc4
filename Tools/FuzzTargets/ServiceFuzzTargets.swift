//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomFuzzTargets

/// The service's parsers of foreign bytes, for a fuzzer: Documentation/Design/0039-fuzzing.md.
public enum ServiceFuzzTargets {
    /// All there are. A new one: a file beside this one, and a line here.
    public static var all: [any FuzzTarget.Type] {
        [ConfigurationTarget.self, RequestsTarget.self]
    }
}
