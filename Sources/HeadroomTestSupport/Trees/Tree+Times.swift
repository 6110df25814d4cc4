//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension Tree {
    /// Sets the access and modification times of one entry, links not followed; nil leaves one as
    /// it is. The birth and change times cannot be set: the clock of what is tested is injected.
    public func setTimes(
        of path: TreePath, accessed: Timestamp? = nil, modified: Timestamp? = nil
    ) throws {
        let times = [Self.time(accessed), Self.time(modified)]
        guard !path.names.isEmpty else {
            let directory = try open()
            return try check("futimens", path, unsafe futimens(directory.rawValue, times))
        }
        unsafe try inParent(of: path, creating: false, "utimensat") { parent, name in
            unsafe utimensat(parent, name, times, Int32(AT_SYMLINK_NOFOLLOW))
        }
    }

    /// Makes an entry, and everything below it, look as if last read and changed at a given time.
    public func setTimes(below path: TreePath = TreePath(), to time: Timestamp) throws {
        let times = [Self.time(time), Self.time(time)]
        if try status(of: path).type == .directory {
            // Children first: listing a directory changes when it was last read.
            try TreeWalk(root: self.path(path)).visit { parent, entry in
                try entry.name.withEntryName {
                    let result = unsafe utimensat(
                        parent, $0.base, times, Int32(AT_SYMLINK_NOFOLLOW))
                    try check("utimensat", TreePath([entry.name]), result)
                }
            }
        }
        try setTimes(of: path, accessed: time, modified: time)
    }

    /// Moves an entry, and everything below it, into the past: access and modification times.
    public func age(_ path: TreePath = TreePath(), by duration: Duration) throws {
        try setTimes(below: path, to: .now.advanced(by: .zero - duration))
    }

    private static func time(_ time: Timestamp?) -> timespec {
        guard let time else {
            // UTIME_OMIT is a macro that Swift does not import.
            #if os(Linux)
            return timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)
            #else
            return timespec(tv_sec: 0, tv_nsec: -2)
            #endif
        }
        let seconds = time.seconds
        return timespec(
            tv_sec: time_t(seconds), tv_nsec: Int(time.nanoseconds - seconds * 1_000_000_000))
    }
}

extension Timestamp {
    /// The time of the system's wall clock.
    fileprivate static var now: Timestamp {
        var now = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &now)
        return Timestamp(seconds: Int64(now.tv_sec), nanoseconds: Int64(now.tv_nsec))
    }
}
