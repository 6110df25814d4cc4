//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine

/// `PurgeableCache.plist`, in XML and in the binary form.
struct CleanUpTasksTarget: FuzzTarget {
    static let name = "clean-up-tasks"

    func run(_ bytes: [UInt8]) {
        guard let list = try? CleanUpTaskList(parsing: bytes, named: "list") else { return }
        // What a task says of itself is shown to people.
        for problem in list.problems { _ = "\(problem)" }
    }
}
