//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization

/// Keeps threads until it is opened.
final class Gate: Sendable {
    private let isOpen = Atomic(false)

    func pass() {
        while !isOpen.load(ordering: .acquiring) { Pause.milliseconds(1) }
    }

    func open() { isOpen.store(true, ordering: .releasing) }
}

/// Does something once, when it has been told what.
final class Once: Sendable {
    private let body = Mutex<(@Sendable () -> Void)?>(nil)
    private let ran = Atomic(false)

    var hasRun: Bool { ran.load(ordering: .acquiring) }

    func set(_ new: @escaping @Sendable () -> Void) { body.withLock { $0 = new } }

    func run() {
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        guard let body else { return }
        ran.store(true, ordering: .releasing)
        body()
    }
}
