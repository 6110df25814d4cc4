//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension Scope {
    /// What processes, mounts, sessions, locks and tmpfiles.d keep in the scope's directories, as of now.
    func keptPaths() -> KeptPaths { .none }
}
