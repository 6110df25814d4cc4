//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
public import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension Ledger {
    /// Where this user's ledger lies.
    ///
    /// `HEADROOM_STATE_DIRECTORY` if it is an absolute path. Otherwise `$XDG_STATE_HOME/headroom` or
    /// `~/.local/state/headroom`; on Apple platforms `~/Library/Application Support/headroom`.
    ///
    /// Root's is `/var/lib/headroom`, unless `HOME` names a directory of root's own other than root's
    /// home, as in a container or a CI job: then it is in there, as for others. A home that another user
    /// owns or may write to does not count, since `sudo` may keep the variables of the user.
    ///
    /// - Returns: nil if the user has no home directory.
    public static var defaultDirectory: FilePath? {
        func variable(_ name: String) -> String? {
            // The string is copied before anything can change the environment.
            unsafe getenv(name).map { unsafe String(cString: $0) }
        }
        let accountHome = accountHome()
        return defaultDirectory(
            isRoot: geteuid() == 0, home: variable("HOME") ?? accountHome,
            rootHome: accountHome, isRootsAlone: isRootsAlone, variable: variable)
    }

    /// - Parameters:
    ///   - rootHome: root's home in the account database; nil: root has no other home.
    ///   - isRootsAlone: whether a directory belongs to root, and only root may write to it.
    package static func defaultDirectory(
        isRoot: Bool, home: String?, rootHome: String? = nil,
        isRootsAlone: (FilePath) -> Bool = { _ in false }, variable: (String) -> String?
    ) -> FilePath? {
        // Relative values are to be ignored (XDG Base Directory Specification).
        func directory(_ text: String?) -> FilePath? {
            guard let text, text.hasPrefix("/") else { return nil }
            return FilePath(text)
        }
        if let chosen = directory(variable("HEADROOM_STATE_DIRECTORY")) { return chosen }
        #if canImport(Darwin)
        return directory(home)?.appending("Library/Application Support/headroom")
        #else
        if isRoot {
            // mutation: r1a-1
            guard let home = directory(home), home.depth > 0,
                let rootHome = directory(rootHome), home.settled != rootHome.settled,
                isRootsAlone(home)
            else { return "/var/lib/headroom" }
            let state = directory(variable("XDG_STATE_HOME"))
            if let state, isRootsAlone(state) { return state.appending("headroom") }
            return home.appending(".local/state/headroom")
        }
        if let state = directory(variable("XDG_STATE_HOME")) { return state.appending("headroom") }
        return directory(home)?.appending(".local/state/headroom")
        #endif
    }

    private static func isRootsAlone(_ path: FilePath) -> Bool {
        // A directory that is missing or cannot be read does not count.
        guard let status = try? FileStatus.ofTarget(path) else { return false }
        return status.type == .directory && status.owner == 0 && status.permissions & 0o022 == 0
    }

    private static func accountHome() -> String? {
        // Nobody else's getpwuid call runs meanwhile in a program that calls this at its start; the
        // string is copied at once.
        guard let account = unsafe getpwuid(geteuid()), let home = unsafe account.pointee.pw_dir
        else { return nil }
        return unsafe String(cString: home)
    }
}
