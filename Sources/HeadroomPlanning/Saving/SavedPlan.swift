//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlatform
public import SystemPackage

/// A plan in a file: saved today, read, compared or carried out later.
///
/// JSON Lines, schema `headroom.saved-plan/1`: a header, the directories that the plan goes through, and
/// a line per entry with the evidence by which the purger recognises it (safety invariant S4).
/// Numbers are exact integers, fingerprints hexadecimal; a path that is not UTF-8 has all its bytes,
/// percent-encoded, in `pathBytes`.
///
/// What is read is not trusted. A file cannot name anything outside of its areas' roots, nor make
/// an essential item purgeable: the purger compares the areas with those that are declared when it
/// runs, reads the marks of directories and items again, and goes by what they say then. Marks that
/// directories around a root hand down are therefore not in the file; the reader's caller says what
/// they are today. A forged fingerprint only makes the purger skip the item, or accept exactly the
/// file that lies there, of the class that it has there.
public enum SavedPlan {
    static let schema = "headroom.saved-plan/1"

    /// Saves a plan in a new file that only its owner can read (mode 0600): it has the key of its
    /// fingerprints in it.
    ///
    /// Blocks. What was written may still be in the system's caches when it returns.
    ///
    /// - Throws: `HeadroomError` if the file exists or cannot be written. A file that is cut off is
    ///   refused when it is read.
    public static func save(_ plan: Plan, to path: FilePath) throws(HeadroomError) {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(
                path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite])
        } catch let error as Errno {
            if error == .fileExists {
                throw HeadroomError(
                    .refused, "\(path.displayText) exists. Name a new file for the plan.",
                    cause: error)
            }
            throw HeadroomError("create", path, error)
        } catch {
            throw HeadroomError(.io, "Could not create \(path.displayText): \(error).")
        }
        let descriptor = Descriptor(owning: file.rawValue)
        try write(plan) { bytes throws(HeadroomError) in
            do {
                try FileDescriptor(rawValue: descriptor.rawValue).writeAll(bytes)
            } catch {
                throw HeadroomError("write", path, error as? Errno ?? .ioError)
            }
        }
    }

    /// Reads a plan that was saved.
    ///
    /// Blocks.
    ///
    /// - Parameter rootMarks: what directories around a scan's root hand down to it today, by the
    ///   root's path; none for a root that is missing.
    /// - Throws: `refused` for a file that others may have written, `damaged` with line and column for
    ///   what is no plan.
    public static func load(
        _ path: FilePath, rootMarks: [FilePath: Mark] = [:]
    ) throws(HeadroomError) -> Plan {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        } catch {
            throw HeadroomError("open", path, error as? Errno ?? .ioError)
        }
        let descriptor = Descriptor(owning: file.rawValue)
        try check(descriptor, path)
        let number = descriptor.rawValue
        let plan = try read(rootMarks: rootMarks) { () throws(HeadroomError) in
            var failure: Errno?
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                do {
                    // The descriptor is open until the plan is read; the buffer is the array's.
                    count = unsafe try FileDescriptor(rawValue: number).read(
                        into: UnsafeMutableRawBufferPointer(buffer))
                } catch {
                    failure = error as? Errno ?? .ioError
                }
            }
            if let failure { throw HeadroomError("read", path, failure) }
            return bytes
        }
        // Not earlier: the source reads by its number.
        _ = consume descriptor
        return plan
    }

    private static func check(
        _ descriptor: borrowing Descriptor, _ path: FilePath
    ) throws(HeadroomError) {
        let status: FileStatus
        do {
            status = try NativeCalls.make().status(of: descriptor.rawValue)
        } catch {
            throw HeadroomError("examine", path, error)
        }
        guard status.type == .regular else {
            throw HeadroomError(.invalid, "\(path.displayText) is not a file. Name a saved plan.")
        }
        // mutation: r17c-2
        guard status.owner == User.effective || status.owner == 0, status.permissions & 0o022 == 0
        else {
            throw HeadroomError(
                .refused,
                "\(path.displayText) could have been written by others. Use a plan of your own.")
        }
    }
}
