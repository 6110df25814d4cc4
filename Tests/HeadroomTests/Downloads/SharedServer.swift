//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization

/// A server that all tests which run at the same time share, and that ends with the last of them: to
/// start one for each takes longer than the tests.
final class SharedServer<Server: AnyObject>: @unchecked Sendable {
    // Sendable: guarded by `lock`.
    private let lock = Mutex<Void>(())
    private weak var current: Server?

    func get(_ make: () throws -> Server) throws -> Server {
        try lock.withLock { _ in
            if let current { return current }
            let server = try make()
            current = server
            return server
        }
    }
}
