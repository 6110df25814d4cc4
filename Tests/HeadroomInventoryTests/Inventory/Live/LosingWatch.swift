//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPlatform
import Synchronization
import SystemPackage

/// A watch that, every third time, has lost everything that it knew; or one that refuses every other
/// directory.
final class LosingWatch: ChangeWatch {
    private let watch: any ChangeWatch
    private let refuses: Bool
    private let asked = Mutex(0)

    static func make(_ directory: Int32, refuses: Bool) -> (any ChangeWatch)? {
        guard
            let watch = try? Watching.make(on: directory, type: "tmpfs", mechanism: .inotify)
        else { return nil }
        return LosingWatch(watch, refuses: refuses)
    }

    private init(_ watch: any ChangeWatch, refuses: Bool) {
        self.watch = watch
        self.refuses = refuses
    }

    var mechanism: WatchMechanism { watch.mechanism }

    func watch(_ directory: Int32, as id: UInt32) throws(Errno) {
        if refuses, id % 2 == 0 { throw .noSpace }
        try watch.watch(directory, as: id)
    }

    func forget(_ id: UInt32) { watch.forget(id) }

    func take() -> ChangeBatch {
        let batch = watch.take()
        let turn = asked.withLock { turn in
            turn += 1
            return turn
        }
        guard !refuses, turn % 3 == 0 else { return batch }
        var lost = ChangeBatch()
        lost.isIncomplete = true
        return lost
    }

    func close() { watch.close() }
}
#endif
