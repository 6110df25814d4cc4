//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A command that another program runs.
struct ExternalCommand {
    private let name: String
    private let program: ExternalProgram

    /// The command that arguments name: `serve …` or `help serve …`.
    init?(_ arguments: [String]) {
        let isHelp = arguments.first == "help"
        guard let name = isHelp ? arguments.dropFirst().first : arguments.first,
            let program = ExternalProgram.allCases.first(where: { $0.commands.contains(name) })
        else { return nil }
        self.name = name
        self.program = program
    }

    /// Replaces this process by the program that runs the command, with the arguments of this process.
    ///
    /// The process stays the same, so the terminal, signals and the exit code need no forwarding. Call it before
    /// anything is opened and before any signal is ignored: both would be inherited.
    ///
    /// - Returns: why the program could not be started.
    func start() -> HeadroomError {
        let directories = Self.directories()
        for directory in directories {
            let path = directory.appending(program.name)
            let error = Self.replaceProcess(by: path)
            // Not there: the next directory may have it.
            guard error == .noSuchFileOrDirectory || error == .notDirectory else {
                return HeadroomError("start", path, error)
            }
        }
        return missing(directories)
    }

    private func missing(_ directories: [FilePath]) -> HeadroomError {
        let searched =
            directories.isEmpty
            ? "its directory is not known, because /proc/self/exe cannot be read"
            : "it is not in \(directories.map(\.displayText).joined(separator: " or "))"
        return HeadroomError(
            .notFound,
            "headroom \(name) is a command of the program \(program.name), which is not installed: "
                + "\(searched). Install it with: apt install \(program.name)")
    }

    /// The directories that contain the programs: that of this program, and `../libexec/headroom` from there.
    ///
    /// PATH is not one of them: a program of another version, or of another user, could be found by it.
    static func directories() -> [FilePath] {
        guard let own = ownPath()?.removingLastComponent() else { return [] }
        return [own, own.removingLastComponent().appending("libexec").appending("headroom")]
    }

    /// The path of this program, links resolved. It does not depend on `argv[0]`, which is the caller's choice.
    private static func ownPath() -> FilePath? {
        #if canImport(Glibc)
        // realpath(3) allocates the result, which is freed as soon as it is copied.
        guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(path) }
        return unsafe FilePath(platformString: path)
        #else
        var size = UInt32(0)
        _ = unsafe _NSGetExecutablePath(nil, &size)
        var buffer = [CChar](repeating: 0, count: Int(size))
        // The buffer has the size that the system asked for.
        guard unsafe _NSGetExecutablePath(&buffer, &size) == 0,
            let path = unsafe realpath(buffer, nil)
        else { return nil }
        defer { unsafe free(path) }
        return unsafe FilePath(platformString: path)
        #endif
    }

    /// Returns only if the program cannot be started.
    private static func replaceProcess(by program: FilePath) -> Errno {
        unsafe program.withPlatformString { path in
            // The arguments are those of this process, byte for byte: they need not be UTF-8. The array ends with
            // nil, as execv(2) wants it, and is alive during the call.
            var words: [UnsafeMutablePointer<CChar>?] = unsafe [
                UnsafeMutablePointer(mutating: path)
            ]
            for index in 1..<max(1, Int(CommandLine.argc)) {
                unsafe words.append(CommandLine.unsafeArgv[index])
            }
            unsafe words.append(nil)
            _ = unsafe execv(path, words)
            return Errno(rawValue: errno)
        }
    }
}
