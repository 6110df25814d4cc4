//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension Candidate {
    /// Whether its number is an item's rather than a directory's.
    package var isItem: Bool { kind == .file || kind == .fileSet }
}
