//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What a quota leaves to a user or a project on one volume.
package struct QuotaRoom: Hashable, Sendable {
    /// The bytes that may still be written; nil: no limit.
    package var bytes: ByteCount?
    /// The inodes that may still be made; nil: no limit.
    package var inodes: UInt64?

    package init(bytes: ByteCount? = nil, inodes: UInt64? = nil) {
        self.bytes = bytes
        self.inodes = inodes
    }

    package static let unlimited = QuotaRoom()

    /// What is left where both hold.
    package func combined(with other: QuotaRoom) -> QuotaRoom {
        QuotaRoom(
            bytes: [bytes, other.bytes].compactMap { $0 }.min(),
            inodes: [inodes, other.inodes].compactMap { $0 }.min())
    }

    /// What limits and use leave; a limit of 0 is none.
    ///
    /// The hard limit counts; the soft one only where there is no hard one, since it may be exceeded
    /// for a while.
    package init(
        hardBytes: UInt64, softBytes: UInt64, usedBytes: UInt64,
        hardInodes: UInt64, softInodes: UInt64, usedInodes: UInt64
    ) {
        func left(_ hard: UInt64, _ soft: UInt64, _ used: UInt64) -> UInt64? {
            let limit = hard != 0 ? hard : soft
            return limit == 0 ? nil : limit > used ? limit - used : 0
        }
        bytes = left(hardBytes, softBytes, usedBytes).map { ByteCount(Int64(clamping: $0)) }
        inodes = left(hardInodes, softInodes, usedInodes)
    }
}

/// Asks for quotas; tests put their own in place.
package protocol QuotaReading: Sendable {
    /// What the quotas of the effective user, and of the project a directory belongs to, leave.
    ///
    /// Without quotas, or where the system does not tell: ``QuotaRoom/unlimited``.
    func room(at directory: Int32) -> QuotaRoom
}

/// The system's quotas: quotactl_fd(2) on Linux from 5.14.
///
/// Older kernels, and Darwin, are not asked: there a quota shows itself as `EDQUOT`.
package struct SystemQuotas: QuotaReading {
    package init() {}

    package func room(at directory: Int32) -> QuotaRoom {
        #if os(Linux)
        var room = Self.room(directory, type: 0, id: geteuid())
        var project: UInt32 = 0
        // Project 0 is the one of everything that has none.
        if unsafe hr_project_of(directory, &project) == 0, project != 0 {
            room = room.combined(with: Self.room(directory, type: 2, id: project))
        }
        return room
        #else
        return .unlimited
        #endif
    }

    #if os(Linux)
    private static func room(_ directory: Int32, type: Int32, id: UInt32) -> QuotaRoom {
        var quota = hr_quota()
        // ESRCH: no quotas here; ENOSYS: an old kernel; EPERM: not ours to know.
        guard unsafe hr_quota_of(directory, type, id, &quota) == 0 else { return .unlimited }
        return QuotaRoom(
            hardBytes: quota.hard_bytes, softBytes: quota.soft_bytes, usedBytes: quota.used_bytes,
            hardInodes: quota.hard_inodes, softInodes: quota.soft_inodes,
            usedInodes: quota.used_inodes)
    }
    #endif
}
