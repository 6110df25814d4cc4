//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
import Synchronization

/// The scheduling state of one thread at one moment.
///
/// It tells a call that hangs from one that a loaded machine did not run. A thread that hangs is asleep
/// (`S`, for example in FUSE) or in disk sleep (`D`), and never leaves its processor again. A thread that
/// computes, waits for a processor or makes one call after another is runnable or has switched meanwhile.
struct ThreadActivity: Hashable, Sendable {
    /// Running, ready to run, or not started yet.
    let isRunnable: Bool
    /// How often the thread has left its processor, voluntarily or not.
    let switches: UInt64

    /// Whether the thread was blocked in the kernel from one look to this one, without a break.
    func isBlocked(since earlier: ThreadActivity) -> Bool {
        !isRunnable && self == earlier
    }
}

/// Watches one thread, from another.
final class ThreadWatch: Sendable {
    private let number = Atomic<Int32>(0)

    /// Called by the thread itself, before its work.
    func begin() {
        #if os(Linux)
        number.store(hr_thread_number(), ordering: .relaxed)
        #endif
    }

    /// The thread's current activity. If the system does not report it, the thread counts as blocked.
    var activity: ThreadActivity {
        #if os(Linux)
        let number = number.load(ordering: .relaxed)
        guard number != 0 else { return ThreadActivity(isRunnable: true, switches: 0) }
        return Self.activity(of: number) ?? ThreadActivity(isRunnable: false, switches: 0)
        #else
        return ThreadActivity(isRunnable: false, switches: 0)
        #endif
    }

    #if os(Linux)
    /// Reads `/proc/self/task/TID/status`; nil if the thread has ended.
    private static func activity(of thread: Int32) -> ThreadActivity? {
        guard let lines = try? PseudoFile.lines(of: "/proc/self/task/\(thread)/status") else {
            return nil
        }
        var state: UInt8?
        var switches: UInt64 = 0
        for line in lines {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
            switch String(decoding: line[..<colon], as: UTF8.self) {
            case "State": state = value.first
            case "voluntary_ctxt_switches", "nonvoluntary_ctxt_switches":
                switches &+= UInt64(String(decoding: value, as: UTF8.self)) ?? 0
            default: break
            }
        }
        return state.map { ThreadActivity(isRunnable: $0 == UInt8(ascii: "R"), switches: switches) }
    }
    #endif

    /// The time between two looks: a thread that was blocked for so long counts as hanging.
    static func interval(for limit: Duration) -> Duration {
        min(max(limit / 2, .milliseconds(50)), .seconds(1))
    }

    /// How long after its limit a call that is not blocked is waited for.
    static let longestExtension: Duration = .seconds(30)
}
