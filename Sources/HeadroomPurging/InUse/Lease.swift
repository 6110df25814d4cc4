//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
package import HeadroomPlatform
public import SystemPackage

/// A crash-safe claim that a file or directory is in use: it is not purged while the lease lives.
///
/// A lease is a shared flock on the item and one on the directory around it, and on a directory, in
/// addition, the mark that it is leased with all below. It works for any path, whether or not an
/// area is declared there, across processes, PID namespaces and bind mounts. It ends with the
/// value, with ``release()``, or with the process: the kernel sees to that, also after `kill -9`.
///
///     let lease = try Lease.acquire("/home/ann/.cache/maps")
///     defer { lease.release() }
///
/// Purges honour it; other programs, and people, do not. Needs read permission for the item and its
/// directory. Not for use in an app that may be suspended while it holds one.
public struct Lease: ~Copyable {
    private let item: ProbedFile
    private let parent: Descriptor

    /// How long a lease is waited for while a purge works in the directory.
    public static let defaultPatience: Duration = .seconds(10)

    /// Takes a lease. Blocks for at most `patience`: normally not at all, and else for as long as a
    /// purge is at work in the item's directory, or, if the item is a directory, in or around it.
    ///
    /// - Parameters:
    ///   - path: a regular file or a directory; a relative path starts at the working directory.
    ///     A symbolic link is refused, one on the way is followed.
    ///   - patience: how long to try again.
    /// - Throws: `notFound` if it is not there, or goes just now; `busy` with the name of who is in
    ///   the way; `invalid` for a link, special file or `/`; `notPermitted`.
    public static func acquire(
        _ path: FilePath, patience: Duration = defaultPatience
    ) throws(HeadroomError) -> Lease {
        try acquire(path, patience: patience, books: nil)
    }

    /// Ends the lease.
    public consuming func release() {}

    package static func acquire(
        _ path: FilePath, patience: Duration, books: [LockBook.Location]?
    ) throws(HeadroomError) -> Lease {
        let request = try LeaseRequest(path, books: books)
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: patience)
        var pause: UInt32 = 1
        while true {
            do throws(HeadroomError) {
                return try request.attempt()
            } catch {
                guard error.code == .busy, clock.now < deadline else { throw error }
                // flock(2) could wait, but not for a limited time, nor for two locks at once.
                Pause.milliseconds(pause)
                pause = min(pause * 2, 20)
            }
        }
    }

    init(item: consuming ProbedFile, parent: consuming Descriptor) {
        self.item = item
        self.parent = parent
    }

    deinit {
        // Closing alone would not do: a child that another thread has forked, and that has not
        // come to exec yet, holds the same open file descriptions.
        FileLock.unmarkWhole(item.rawValue)
        FileLock.unlock(item.rawValue)
        FileLock.unlock(parent.rawValue)
    }

    /// Replaces this process by a command, which keeps the lease for as long as it lives, and its
    /// children with it unless they close what they inherit: as `flock(1)` does.
    ///
    /// - Parameters:
    ///   - command: the program, looked up in `PATH`, and its arguments.
    /// - Throws: if the program cannot be started; the lease is over then.
    public consuming func execute(_ command: [String]) throws(HeadroomError) -> Never {
        guard let program = command.first, !program.isEmpty else {
            throw HeadroomError(.invalid, "Name the command to run while the lease is held.")
        }
        let cause: Errno
        do throws(Errno) {
            try Execution.replaceProcess(
                command, inheriting: [item.rawValue, parent.rawValue])
        } catch {
            cause = error
        }
        throw HeadroomError("run", FilePath(program), cause)
    }
}
