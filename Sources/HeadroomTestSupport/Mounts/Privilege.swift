//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
import HeadroomPlatform

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What the machine lets tests do; for `.enabled(if:)`, so that a skipped test says why.
///
/// Each answer is found by trying it once, since capabilities, containers and missing tools all
/// take away what being root seems to grant.
public enum Privilege {
    /// Whether the process runs as root.
    public static let isRoot = geteuid() == 0

    #if os(Linux)
    /// Makes the calling thread, and those it starts from now on, look at files as another user.
    ///
    /// For a thread that ends with the test. Needs root.
    public static func actOnThisThread(as user: UInt32) { _ = hr_thread_set_user(user) }

    /// Makes the calling thread, and those it starts from now on, another user without privileges.
    ///
    /// For a thread that ends with the test. Needs root.
    public static func becomeOnThisThread(_ user: UInt32) throws {
        guard hr_thread_become(user) == 0 else {
            throw FixtureError("setresuid", on: "\(user)", errno: .current)
        }
    }

    /// Whether a tmpfs can be mounted, and so bind mounts can be made.
    public static let canMount =
        isRoot && succeeds { try MountedImage.tmpfs(size: .mebibytes(1)) }

    /// Whether an overlay can be mounted.
    public static let canMountOverlay =
        isRoot
        && succeeds {
            let lower = try TemporaryDirectory(on: .memory)
            return try MountedImage.overlay(lower: lower.path)
        }

    /// Whether a file system of a format can be made and mounted by a loop device.
    public static func canMount(_ format: MountedImage.Format) -> Bool {
        switch format {
        case .ext4: ext4
        case .xfs: xfs
        case .btrfs: btrfs
        }
    }

    private static let ext4 = isRoot && succeeds { try MountedImage(.ext4) }
    private static let xfs = isRoot && succeeds { try MountedImage(.xfs) }
    private static let btrfs = isRoot && succeeds { try MountedImage(.btrfs) }

    private static func succeeds(_ body: () throws -> MountedImage) -> Bool {
        // Why it failed matters to nobody: the test says what it needs.
        (try? body()) != nil
    }
    #endif

    /// Whether a program is installed, in `PATH` or where root's programs are.
    public static func has(program: String) -> Bool {
        let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? ""
        return (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/sbin"])
            .contains { unsafe access("\($0)/\(program)", X_OK) == 0 }
    }

    /// Whether the long forms of tests were asked for (`make soak` sets `HEADROOM_SOAK`).
    public static let isSoak = unsafe getenv("HEADROOM_SOAK") != nil
}
