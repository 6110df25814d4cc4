//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What of root's rights this process has: a container or a service may be root with few of them.
public struct Privileges: Hashable, Sendable {
    /// A right of root's that makes a difference here (capabilities(7)).
    public enum Right: UInt64, Sendable, CaseIterable {
        case dacOverride = 1
        case dacReadSearch = 2
        case ownerOfAll = 3
        case tracing = 19
        case leasing = 28
    }

    /// Empty for other users than root, and for root with all of them.
    public var missing: [Right]
    /// Whether what every process of the machine has open can be asked for: false in a process-id name
    /// space of a container's own. True where there are none.
    public var seesAllProcesses: Bool

    /// Of this process, now.
    public static func current() -> Privileges {
        #if os(Linux)
        let status = (try? SmallFile.read("/proc/self/status")).map {
            String(decoding: $0, as: UTF8.self)
        }
        let rights = User.isRoot ? effective(in: status ?? "") : nil
        // linux/proc_ns.h: PROC_PID_INIT_INO.
        let space = try? PathCalls.status("/proc/self/ns/pid").identity.inode
        return Privileges(
            missing: rights.map { rights in
                Right.allCases.filter { rights & 1 << $0.rawValue == 0 }
            } ?? [],
            seesAllProcesses: space == nil || space == 0xEFFF_FFFC)
        #else
        Privileges(missing: [], seesAllProcesses: true)
        #endif
    }

    /// The mask of the effective rights in the text of `/proc/PID/status`; nil if it does not say.
    package static func effective(in status: String) -> UInt64? {
        for line in status.split(separator: "\n") where line.hasPrefix("CapEff:") {
            let number = line.dropFirst("CapEff:".count).drop { $0 == "\t" || $0 == " " }
            return UInt64(number, radix: 16)
        }
        return nil
    }
}
