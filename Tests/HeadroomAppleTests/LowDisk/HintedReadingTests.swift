//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomApple
import HeadroomPromises
import Synchronization
import Testing

struct HintedReadingTests {
    @Test(.tags(.r23g)) func looksAtEachHintAndMergesThoseThatComeMeanwhile() async {
        let (hints, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let count = Atomic<Int>(0)
        continuation.yield()
        await HintedReading(hints) {
            let number = count.add(1, ordering: .relaxed).newValue
            if number == 1 { for _ in 0..<5 { continuation.yield() } }
            if number == 2 { continuation.finish() }
        }.run()
        let readings = count.load(ordering: .relaxed)
        #expect(readings == 2)
    }

    /// The names by which systems of Apple's warn of what is no lack of space.
    private static let others = [
        "UIApplicationDidReceiveMemoryWarningNotification",
        "NSProcessInfoThermalStateDidChangeNotification",
        "NSProcessInfoPowerStateDidChangeNotification",
    ]

    @Test(.tags(.r23g)) func aWarningOfMemoryIsNoHintAndOneOfSpaceIs() async {
        let center = NotificationCenter()
        let system = SystemHints(center)
        let count = Atomic<Int>(0)
        for name in Self.others { center.post(name: Notification.Name(name), object: nil) }
        center.post(
            name: Notification.Name("NSBundleResourceRequestLowDiskSpaceNotification"), object: nil)
        system.end()
        await HintedReading(system.hints) { count.add(1, ordering: .relaxed) }.run()
        #expect(count.load(ordering: .relaxed) == 1)

        let deaf = SystemHints(center)
        for name in Self.others { center.post(name: Notification.Name(name), object: nil) }
        deaf.end()
        await HintedReading(deaf.hints) { count.add(1, ordering: .relaxed) }.run()
        #expect(count.load(ordering: .relaxed) == 1)
    }
}
