//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(macOS)
import CHeadroomShims
package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What a child gets that posix_spawn(3) starts: no input, no open files, no blocked or caught signals.
@safe package struct SpawnSettings: ~Copyable {
    #if os(Linux)
    private var actions = unsafe posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()
    #else
    private var actions: posix_spawn_file_actions_t?
    private var attributes: posix_spawnattr_t?
    #endif
    private var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF

    package init() {
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        var none = sigset_t()
        var all = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    }

    deinit {
        var actions = unsafe actions
        #if os(Linux)
        var attributes = attributes
        #else
        // A pointer there.
        var attributes = unsafe attributes
        #endif
        unsafe posix_spawn_file_actions_destroy(&actions)
        unsafe posix_spawnattr_destroy(&attributes)
    }

    /// What the child writes to `number` goes to this descriptor.
    package mutating func output(_ number: Int32, to descriptor: Int32) {
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, number)
    }

    /// What the child writes to `number` goes nowhere.
    package mutating func discardOutput(_ number: Int32) {
        unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0)
    }

    package mutating func directory(_ path: FilePath) {
        unsafe path.withPlatformString {
            #if os(Linux)
            _ = unsafe hr_spawn_addchdir(&actions, $0)
            #else
            _ = unsafe posix_spawn_file_actions_addchdir_np(&actions, $0)
            #endif
        }
    }

    /// The child leads a process group of its own.
    package mutating func leadsGroup() {
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        flags |= POSIX_SPAWN_SETPGROUP
    }

    /// Starts a program, once.
    ///
    /// - Parameter searching: looks a name without a slash up in `PATH`.
    package consuming func start(
        _ program: String, _ arguments: [String], environment: [String], searching: Bool = false
    ) throws(Errno) -> Int32 {
        #if os(Linux)
        unsafe hr_spawn_addclosefrom(&actions, 3)
        #else
        flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #endif
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var child: pid_t = 0
        var error: Int32 = 0
        unsafe Self.withStrings([program] + arguments) { argv in
            unsafe Self.withStrings(environment) { envp in
                error =
                    searching
                    ? unsafe posix_spawnp(&child, program, &actions, &attributes, argv, envp)
                    : unsafe posix_spawn(&child, program, &actions, &attributes, argv, envp)
            }
        }
        guard error == 0 else { throw Errno(rawValue: error) }
        return child
    }

    /// Calls `body` with a NULL-terminated vector of C strings that lives as long as the call.
    private static func withStrings(
        _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Void
    ) {
        var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        unsafe pointers.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("never empty") }
            unsafe body(base)
        }
    }
}
#endif
