//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Which start of the system this is.
package enum SystemBoot {
    /// Differs from one boot to the next; nil where the system does not tell.
    ///
    /// What was written before a boot of another identifier, and not synced, may be lost.
    package static let identifier: String? = {
        #if canImport(Darwin)
        var size = 0
        guard unsafe sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0) == 0 else {
            return nil
        }
        var text = [UInt8](repeating: 0, count: size)
        guard unsafe sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) == 0 else {
            return nil
        }
        return plain(text)
        #else
        guard let text = try? SmallFile.read("/proc/sys/kernel/random/boot_id", limit: 128) else {
            return nil
        }
        return plain(text)
        #endif
    }()

    /// Time since the system has started, sleep included.
    package static var elapsed: Duration {
        var time = timespec()
        #if canImport(Darwin)
        // On Darwin this one goes on in sleep, as CLOCK_BOOTTIME does on Linux.
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        #else
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return Duration(
            secondsComponent: Int64(time.tv_sec),
            attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000)
    }

    private static func plain(_ bytes: [UInt8]) -> String? {
        let digits = bytes.prefix { $0 > 0x20 && $0 < 0x7F }
        return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
    }
}
