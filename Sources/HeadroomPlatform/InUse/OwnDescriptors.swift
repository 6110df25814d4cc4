//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Tells which of this process's descriptors mean that the program uses a file, and which a purge
/// has opened itself.
///
/// Made before a purge opens anything: a *directory* counts only if it was open then, under the
/// same number. So the walk and the purger need not report each directory they open. Every regular
/// file counts, whenever it was opened, except those that are reported with ``exempt(_:)``, which
/// takes effect with the next snapshot. A directory that the embedding program opens while
/// the purge runs is not seen; it protects itself with a lease.
package final class OwnDescriptors: Sendable {
    private let directories: [Int32: FileIdentity]
    private let exempted = Mutex<Set<Int32>>([])

    /// Takes down the directories that are open now.
    package init() {
        var directories: [Int32: FileIdentity] = [:]
        for number in Self.openNumbers() {
            // Closed since it was listed.
            guard let status = try? LinkedStatus.of(number) else { continue }
            if status.type == .directory { directories[number] = status.identity }
        }
        self.directories = directories
    }

    /// Leaves a descriptor that the purge has opened out of the next snapshots.
    package func exempt(_ descriptor: Int32) {
        exempted.withLock { _ = $0.insert(descriptor) }
    }

    /// Ends ``exempt(_:)``, before the descriptor is closed and its number is used again.
    package func restore(_ descriptor: Int32) {
        exempted.withLock { _ = $0.remove(descriptor) }
    }

    /// Whether a descriptor of this process means that its file is in use.
    func counts(_ descriptor: Int32, _ status: FileStatus) -> Bool {
        if status.type == .directory { return directories[descriptor] == status.identity }
        return exempted.withLock { !$0.contains(descriptor) }
    }

    /// Whether this process has a file open, now, by another descriptor than `except`.
    ///
    /// - Complexity: one system call for each open descriptor.
    package static func hasOpen(_ identity: FileIdentity, except: Int32 = -1) -> Bool {
        openNumbers().contains { number in
            // Closed since it was listed.
            number != except && (try? LinkedStatus.of(number))?.identity == identity
        }
    }

    /// The numbers of this process's open descriptors; one that was needed to list them is closed again.
    static func openNumbers() -> [Int32] {
        #if os(Linux)
        guard let stream = unsafe opendir("/proc/self/fd") else { return [] }
        defer { _ = unsafe closedir(stream) }
        var numbers: [Int32] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let number = Int32(name), unsafe number != dirfd(stream) { numbers.append(number) }
        }
        return numbers
        #else
        // Not by /dev/fd, which a sandbox may hide. A limit that was lowered afterwards hides the rest.
        return (0..<min(getdtablesize(), 65536)).filter { hr_fcntl($0, F_GETFD, 0) >= 0 }
        #endif
    }
}

/// The status of an open file by the calls of the system we run on.
enum LinkedStatus {
    static func of(_ descriptor: Int32) throws(Errno) -> FileStatus {
        #if os(Linux)
        var status = CHeadroomShims.statx()
        try unsafe LinuxCalls.callStatx(descriptor, "", flags: Int32(HR_AT_EMPTY_PATH), &status)
        return FileStatus(status)
        #else
        return try POSIXCalls().status(of: descriptor)
        #endif
    }
}
