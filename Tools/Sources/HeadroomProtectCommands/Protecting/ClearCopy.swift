//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomProtection
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Writes a protected file's content where it was asked for.
struct ClearCopy {
    let file: ProtectedFile

    /// - Parameter target: a path at which nothing stands, or `-`.
    func write(to target: String) throws {
        if target == "-" {
            do {
                return try send(to: .standardOutput)
            } catch Errno.brokenPipe {
                // Whoever read it has seen enough.
                return
            }
        }
        let path = FilePath(target)
        do {
            let output = try FileDescriptor.open(
                path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite)
            do {
                try output.closeAfter { try send(to: output) }
            } catch {
                // A part of it is not what was asked for.
                Self.remove(path)
                throw error
            }
        } catch Errno.fileExists {
            throw HeadroomError(
                .refused, "\(path.displayText) exists and stays. Name another file.",
                cause: .fileExists)
        } catch let error as Errno {
            throw HeadroomError("write", path, error)
        }
    }

    private func send(to output: FileDescriptor) throws {
        try file.readPieces { piece in
            guard !Interruption.isRequested else { throw ExitStatus.interrupted.code }
            _ = unsafe try piece.withUnsafeBytes { unsafe try output.writeAll($0) }
        }
    }

    private static func remove(_ path: FilePath) {
        _ = unsafe path.withPlatformString { unsafe unlink($0) }
    }
}
