//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomPlatform
import ServiceLifecycle

#if canImport(Glibc)
import Glibc
#endif

/// Gives the memory back of code that only the start has run.
///
/// The kernel maps code 64 KiB at a time, and keeps what nobody runs any more for as long as nobody is short of
/// memory: of a service that is idle for weeks that is most of its code. What is run again is read again.
package struct ProgramPages: Service {
    /// When the start, with its first look at all areas, is mostly over; and how often what is done once in a while
    /// (a new configuration, somebody at the dashboard) is forgotten again.
    private static let delays: [Duration] = [.seconds(20), .seconds(100), .seconds(3_600)]

    /// Runs until the service ends. Never throws.
    package func run() async throws {
        // Cancelled, or the service ends: there is nothing to end here.
        try? await cancelWhenGracefulShutdown {
            for round in 0... {
                try await Task.sleep(
                    for: Self.delays[min(round, Self.delays.count - 1)], tolerance: .seconds(1))
                await BlockingThread.run(lowersPriority: true) { Self.giveBack() }
            }
        }
    }

    /// Asks the kernel to drop the pages of the program and its libraries that this process alone has mapped
    /// (`MADV_PAGEOUT`, since Linux 5.4). Only a wish: it does so for files that the user might write to, and leaves what
    /// others have mapped as well.
    package static func giveBack() {
        #if os(Linux)
        // Without /proc, or where the kernel does not know it, everything stays as it is.
        guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else {
            return
        }
        for line in maps.split(separator: "\n") {
            guard let range = Self.code(line),
                let start = unsafe UnsafeMutableRawPointer(bitPattern: range.lowerBound)
            else { continue }
            _ = unsafe madvise(start, range.count, MADV_PAGEOUT)
        }
        #endif
    }

    /// Where a line of `/proc/self/maps` says that there is code, or what comes with it, from a file: nothing that
    /// can be written to (proc(5)).
    package static func code(_ line: some StringProtocol) -> Range<UInt>? {
        let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        guard fields.count == 6, fields[5].first(where: { $0 != " " }) == "/",
            ["r-xp", "r--p"].contains(fields[1])
        else {
            return nil
        }
        let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard ends.count == 2, ends[0] < ends[1] else { return nil }
        return ends[0]..<ends[1]
    }
}
