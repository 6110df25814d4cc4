//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension Ledger {
    /// Where this user's ledger lies.
    ///
    /// `HEADROOM_STATE_DIRECTORY` if it is an absolute path. Otherwise root's is
    /// `/var/lib/headroom`, whatever the environment says, since `sudo` may keep that of the user.
    /// For others `$XDG_STATE_HOME/headroom` or `~/.local/state/headroom`; on Apple platforms
    /// `~/Library/Application Support/headroom`, for root too.
    ///
    /// - Returns: nil if the user has no home directory.
    public static var defaultDirectory: FilePath? {
        func variable(_ name: String) -> String? {
            // The string is copied before anything can change the environment.
            unsafe getenv(name).map { unsafe String(cString: $0) }
        }
        return defaultDirectory(
            isRoot: geteuid() == 0, home: variable("HOME") ?? accountHome(), variable: variable)
    }

    package static func defaultDirectory(
        isRoot: Bool, home: String?, variable: (String) -> String?
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
        if isRoot { return "/var/lib/headroom" }
        if let state = directory(variable("XDG_STATE_HOME")) { return state.appending("headroom") }
        return directory(home)?.appending(".local/state/headroom")
        #endif
    }

    private static func accountHome() -> String? {
        // Nobody else's getpwuid call runs meanwhile in a program that calls this at its start; the
        // string is copied at once.
        guard let account = unsafe getpwuid(geteuid()), let home = unsafe account.pointee.pw_dir
        else { return nil }
        return unsafe String(cString: home)
    }
}
