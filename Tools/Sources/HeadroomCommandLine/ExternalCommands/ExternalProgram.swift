//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A program beside `headroom` that runs some of its commands.
package enum ExternalProgram: String, Hashable, Sendable, CaseIterable {
    /// The daemon.
    case headroomd
    /// Encryption at rest.
    case headroomProtect = "headroom-protect"

    /// The name of its file, and of the Debian package that contains it.
    package var name: String { rawValue }

    /// The commands that it runs.
    package var commands: [String] {
        switch self {
        case .headroomd: ["serve", "sweep", "forecast", "config"]
        case .headroomProtect: ["protect", "unlock", "lock"]
        }
    }
}
