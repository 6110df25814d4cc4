//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// on: macOS iOS tvOS watchOS visionOS
// fails: conformance of 'URLResourceValues' to 'Sendable' is unavailable

import Foundation

func send(_ value: some Sendable) {}

func measure() throws {
    send(try URL(fileURLWithPath: "/").resourceValues(forKeys: []))
}
