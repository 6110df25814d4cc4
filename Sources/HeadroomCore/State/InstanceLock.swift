//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
public import SystemPackage

/// Sees to it that a program runs once: a locked file in its state directory, with its holder written in
/// it. Released when it goes away, and by the kernel when the process dies.
public final class InstanceLock: Sendable {
    private let file: Descriptor

    /// Takes the lock, without waiting. Blocks for a moment.
    ///
    /// - Parameters:
    ///   - name: of the file; it stays when the lock is released.
    ///   - directory: made with mode 0700 if it is missing.
    ///   - holder: who holds it, for those who are refused: `headroom serve, process 4711`. By its first word
    ///     the file is known again.
    /// - Throws: `busy`, with the holder's words; `refused` if the file is another program's; what making the
    ///   file says.
    public init(
        _ name: String, in directory: FilePath, holder: String
    ) throws(HeadroomError) {
        let path = directory.appending(name)
        let descriptor: Descriptor
        do throws(Errno) {
            let place = try StateDirectory(creating: directory)
            descriptor = try LockFile.open(name, in: place)
        } catch {
            throw HeadroomError("make the lock", path, error)
        }
        do throws(Errno) {
            try StateLock.take(descriptor.rawValue, .exclusive, limit: .zero)
        } catch .resourceTemporarilyUnavailable {
            let other = LockFile.text(descriptor.rawValue)
            throw HeadroomError(
                .busy,
                "It runs already: \(other.isEmpty ? "another process" : other) has the lock "
                    + "\(path.displayText). Stop that one first.")
        } catch {
            throw HeadroomError("lock", path, error)
        }
        let said = LockFile.text(descriptor.rawValue)
        // mutation: r29h-2
        guard said.isEmpty || said.hasPrefix(Self.program(of: holder)) else {
            throw HeadroomError(
                .refused,
                "\(path.displayText) is no lock of Headroom's: it is left as it is. Move it away, or keep "
                    + "Headroom's records in another directory.")
        }
        // For people only: the lock holds without.
        try? LockFile.write(holder, descriptor.rawValue)
        file = descriptor
    }

    private static func program(of holder: String) -> Substring { holder.prefix { $0 != " " } }
}
