//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization

/// Measures, while a purge runs, what removing costs on this volume: by item and by byte.
///
/// Told of each removal on the threads that do them. The time since the last event is that of this one;
/// of several threads each is charged what passed on the clock. A purge of which nobody shows a forecast
/// has no meter.
package final class RemovalMeter: Sendable {
    /// What was measured.
    package struct Reading: Sendable {
        /// When the first event came: what went before it was preparation.
        package var first: Double?
        package var last = 0.0
        fileprivate var isLooking = false
        package var looks = 0
        package var looking = 0.0
        package var items = 0
        package var bytes: Int64 = 0
        fileprivate var small = Kind()
        fileprivate var large = Kind()
        /// Apart: where a journal is kept a directory costs many times what a file does.
        package fileprivate(set) var directories = Kind()

        package init() {}

        package struct Kind: Sendable {
            package fileprivate(set) var count = 0
            fileprivate var bytes: Int64 = 0
            fileprivate var seconds = 0.0
        }
    }

    private let state = Mutex(Reading())
    private let now: @Sendable () -> Double

    /// From here on a file's bytes cost more than its name.
    private static let largeFrom: Int64 = 1 << 20

    /// - Parameter now: a clock, in seconds.
    package init(now: @escaping @Sendable () -> Double) {
        self.now = now
    }

    package var reading: Reading { state.withLock { $0 } }

    /// A member of a directory that goes whole was examined.
    package func noteLook() {
        let now = now()
        state.withLock { state in
            state.looks += 1
            state.looking += state.pass(now)
            state.isLooking = true
        }
    }

    /// An item, or a member of one, has gone, or stays.
    package func noteItem(_ bytes: Int64, isDirectory: Bool = false) {
        let now = now()
        state.withLock { state in
            var seconds = state.pass(now)
            if state.isLooking {
                // What lies between the last look and the first removal goes with the looks: a run
                // that is stopped soon after would learn it as the price of a file.
                state.looking += seconds
                seconds = 0
                state.isLooking = false
            }
            state.items += 1
            state.bytes &+= bytes
            let kind =
                isDirectory
                ? \Reading.directories
                : bytes >= Self.largeFrom ? \Reading.large : \Reading.small
            state[keyPath: kind].count += 1
            state[keyPath: kind].bytes &+= bytes
            state[keyPath: kind].seconds += seconds
        }
    }
}

extension RemovalMeter.Reading {
    /// - Returns: the time since the last event.
    fileprivate mutating func pass(_ now: Double) -> Double {
        defer { last = max(last, now) }
        guard first != nil else {
            first = now
            return 0
        }
        return max(0, now - last)
    }

    /// What a small file and a directory have cost; nil where too few went to tell.
    ///
    /// - Parameter byte: what one costs.
    package func costs(byte: Double) -> (item: Double?, directory: Double?) {
        let item = max(0, small.seconds - byte * Double(small.bytes)) / Double(max(1, small.count))
        let directory = directories.seconds / Double(max(1, directories.count))
        return (small.count >= 256 ? item : nil, directories.count >= 32 ? directory : nil)
    }

    /// What a file, a byte and a directory cost, from what was measured and, as long as that is little, from
    /// what was thought before.
    package func rates(
        item: Double, byte: Double, directory: Double
    ) -> (item: Double, byte: Double, directory: Double) {
        let share = 64.0
        let mass = 64.0 * 1_048_576
        let own = max(0, small.seconds - byte * Double(small.bytes))
        let perItem = (share * item + own) / (share + Double(small.count))
        let freeing = max(0, large.seconds - perItem * Double(large.count))
        // Each takes long enough for a few of them to say it.
        let few = 8.0
        let perDirectory =
            (few * directory + directories.seconds) / (few + Double(directories.count))
        return (perItem, (mass * byte + freeing) / (mass + Double(large.bytes)), perDirectory)
    }
}
