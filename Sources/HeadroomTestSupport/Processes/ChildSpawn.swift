//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
import HeadroomPlatform
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Starts one child with posix_spawn.
struct ChildSpawn {
    let program: String
    let arguments: [String]
    let environment: [String: String?]
    let directory: FilePath?
    let output: ChildProcess.Output
    let pipes: [ChildPipe]

    func run() throws -> Int32 {
        #if os(Linux)
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #else
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }

        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        switch output {
        case .captured:
            unsafe posix_spawn_file_actions_adddup2(&actions, pipes[0].writing, 1)
            unsafe posix_spawn_file_actions_adddup2(&actions, pipes[1].writing, 2)
        case .discarded:
            unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
            unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        case .inherited:
            break
        }
        if let directory {
            unsafe directory.withPlatformString {
                #if os(Linux)
                _ = unsafe hr_spawn_addchdir(&actions, $0)
                #else
                _ = unsafe posix_spawn_file_actions_addchdir_np(&actions, $0)
                #endif
            }
        }
        // Tests run in parallel: a pipe's end that another test's child inherited would keep this
        // one's output from ending, and an open file would look like in use.
        var flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        #if os(Linux)
        unsafe hr_spawn_addclosefrom(&actions, 3)
        #else
        flags |= Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #endif
        var none = sigset_t()
        var all = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, flags)

        var child: pid_t = 0
        let error = unsafe Self.withStrings([program] + arguments) { argv in
            unsafe Self.withStrings(Self.variables(environment)) { envp in
                unsafe posix_spawnp(&child, program, &actions, &attributes, argv, envp)
            }
        }
        guard error == 0 else {
            throw FixtureError("posix_spawn", on: program, errno: Errno(rawValue: error))
        }
        return child
    }

    /// Calls `body` with a NULL-terminated vector of C strings that lives as long as the call.
    private static func withStrings<R>(
        _ strings: [String],
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
    ) -> R {
        var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("never empty") }
            return unsafe body(base)
        }
    }

    private static func variables(_ changes: [String: String?]) -> [String] {
        var variables: [String] = []
        var next = unsafe environ
        while let entry = unsafe next.pointee {
            let text = unsafe String(cString: entry)
            let name = text.prefix { $0 != "=" }
            if changes[String(name)] == nil { variables.append(text) }
            unsafe next += 1
        }
        for (name, value) in changes {
            if let value { variables.append("\(name)=\(value)") }
        }
        return variables
    }
}
