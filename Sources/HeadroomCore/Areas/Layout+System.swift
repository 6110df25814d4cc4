//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
import SystemPackage

extension Layout {
    /// The places of the operating system and of the other users, none of which is an area.
    ///
    /// Reads the local account database; blocks.
    ///
    /// - Parameter accounts: the local accounts; their homes and, for people, what is in them by
    ///   convention are guarded.
    package static func system(accounts: [UserAccount] = UserAccount.local()) -> Layout {
        var guarded = fixedPlaces
        for account in accounts where account.home.depth > 0 {
            guarded += places(of: account)
        }
        return Layout(kind: .system, root: "/", guardedPlaces: guarded)
    }

    private static func places(of account: UserAccount) -> [GuardedPlace] {
        let home = account.home.settled
        let name = "the home directory of \(account.name)"
        // Programs' accounts have homes such as /var/cache/man, which is no reason to keep all in it.
        guard account.isPerson else { return [GuardedPlace(home, .itself, name)] }
        return [
            GuardedPlace(home, .essential, name),
            GuardedPlace(
                home.appending(".cache"), .itself, "the cache directory of \(account.name)"),
        ]
    }

    private static var fixedPlaces: [GuardedPlace] {
        func place(_ rule: GuardedPlace.Rule, _ paths: [FilePath], _ what: String) -> [GuardedPlace]
        {
            paths.map { GuardedPlace($0, rule, "\($0.displayText), \(what)") }
        }
        #if canImport(Darwin)
        return place(.never, ["/dev"], "the kernel's own")
            + place(
                .essential,
                [
                    "/Applications", "/Library", "/System", "/bin", "/sbin", "/usr", "/private/etc",
                    "/private/var", "/private/var/db", "/opt", "/cores",
                ], "part of the system")
            + place(
                .itself,
                ["/Users", "/Users/Shared", "/Volumes", "/private/tmp", "/private/var/tmp"],
                "shared by all users")
            // Where TMPDIR and the per-user caches are.
            + place(.itself, ["/private/var/folders"], "the users' temporary directories")
        #else
        return place(.never, ["/proc", "/sys", "/dev"], "the kernel's own")
            + place(
                .essential,
                [
                    "/usr", "/etc", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/boot",
                    "/opt", "/run", "/var", "/var/lib", "/var/log", "/var/spool", "/nix", "/gnu",
                    "/snap", "/efi",
                ], "part of the system")
            + place(
                .itself,
                [
                    "/home", "/tmp", "/var/tmp", "/dev/shm", "/var/cache", "/mnt", "/media", "/srv",
                ], "shared by all users")
        #endif
    }
}
