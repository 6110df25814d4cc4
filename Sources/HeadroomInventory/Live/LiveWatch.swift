//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization
import SystemPackage

/// A watch, and the numbers that it tells changes by. A number is used once.
final class LiveWatch: DirectoryWatcher {
    let watch: any ChangeWatch
    private let serial: Serial
    /// Why a directory could not be watched, the first time.
    private let refusal = Mutex<Errno?>(nil)

    /// Hands out numbers; shared by the watches of an inventory.
    final class Serial: Sendable {
        private let last = Atomic<UInt32>(0)

        func next() -> UInt32 { last.wrappingAdd(1, ordering: .relaxed).newValue }
    }

    init(_ watch: any ChangeWatch, serial: Serial) {
        self.watch = watch
        self.serial = serial
    }

    func watch(_ directory: Int32) -> UInt32 {
        let id = serial.next()
        do throws(Errno) {
            try watch.watch(directory, as: id)
            return id
        } catch {
            refusal.withLock { $0 = $0 ?? error }
            return 0
        }
    }

    var refused: Errno? { refusal.withLock { $0 } }
}
