//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// A listing in a file, or in standard input or output if its name is `-`.
struct ListingFile {
    private let name: String

    /// - Throws: ``HeadroomError`` if the format is not `ncdu`.
    init(format: String, name: String) throws(HeadroomError) {
        guard format == "ncdu" else {
            throw HeadroomError(
                .invalid, "“\(format)” is not a format of listings: write ncdu and a file name.")
        }
        self.name = name
    }

    // MARK: - Reading

    /// Sums up the listing.
    func summary(
        _ options: ListingSummary.Options, progress: ListingProgress
    ) throws(HeadroomError) -> ListingSummary {
        var builder = ListingSummary.Builder(options)
        _ = try forEachEvent(progress) { builder.add($0) }
        return builder.finish()
    }

    /// What it said, to compare with.
    func former(progress: ListingProgress) throws(HeadroomError) -> FormerListing {
        var builder = FormerListing.Builder()
        let time = try forEachEvent(progress) { builder.add($0) }
        return builder.finish(time: time)
    }

    /// - Returns: when it was made, if it says so.
    private func forEachEvent(
        _ progress: ListingProgress, _ body: (NcduEvent) -> Void
    ) throws(HeadroomError) -> Timestamp? {
        let file = name == "-" ? FileDescriptor.standardInput : try open(.readOnly)
        defer {
            // Nothing was written that could be lost.
            if name != "-" { try? file.close() }
        }
        let time: Timestamp?
        do throws(HeadroomError) {
            var reader = try NcduReader { () throws(HeadroomError) in try read(file) }
            while !progress.isCancelled, let event = try reader.next() {
                body(event)
                progress.note(event)
            }
            time = reader.timestamp
        } catch {
            throw HeadroomError(
                error.code, "Could not import \(path.displayText): \(error.message)",
                cause: error.cause)
        }
        guard !progress.isCancelled else { throw HeadroomError(.io, "Interrupted.") }
        return time
    }

    private var path: FilePath { FilePath(name) }

    private func open(
        _ mode: FileDescriptor.AccessMode, options: FileDescriptor.OpenOptions = []
    ) throws(HeadroomError) -> FileDescriptor {
        do {
            return try FileDescriptor.open(
                path, mode, options: options.union(.closeOnExec),
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
        } catch {
            throw HeadroomError("open", path, error as? Errno ?? .ioError)
        }
    }

    private func read(_ file: FileDescriptor) throws(HeadroomError) -> [UInt8] {
        do {
            return unsafe try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                // Reads at most as much as the buffer has room for.
                count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
        } catch {
            throw HeadroomError("read", path, error as? Errno ?? .ioError)
        }
    }

    // MARK: - Writing

    /// Writes all that a scan found. Several roots make one listing only with a root around them,
    /// which ncdu's format has no name for: one is asked for.
    func export(_ inventory: Inventory) throws(HeadroomError) {
        guard inventory.roots.count == 1 else {
            throw HeadroomError(.invalid, "An ncdu listing has one root. Name one directory.")
        }
        let file = try openForWriting()
        var writer = NcduWriter(
            program: "headroom", version: Program.version, timestamp: inventory.scanned
        ) { (bytes) throws(HeadroomError) in try write(bytes, to: file) }
        try inventory.visit(root: 0) { (step) throws(HeadroomError) in
            try writer.write(step.ncduEvent)
        }
        try writer.finish()
        guard name != "-" else { return }
        do { try file.close() } catch {
            throw HeadroomError("write", path, error as? Errno ?? .ioError)
        }
    }

    /// Opens the file, and empties it only if it is a listing already: a mistyped name must not
    /// cost a person a file.
    private func openForWriting() throws(HeadroomError) -> FileDescriptor {
        guard name != "-" else { return .standardOutput }
        do {
            return try FileDescriptor.open(
                path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
        } catch Errno.fileExists {
            let existing = try open(.readOnly)
            let start = try read(existing)
            // Only read from.
            try? existing.close()
            guard start.isEmpty || Self.beginsAsListing(start) else {
                throw HeadroomError(
                    .refused,
                    "\(path.displayText) exists and is no listing. Choose another name.")
            }
            return try open(.writeOnly, options: .truncate)
        } catch {
            throw HeadroomError("create", path, error as? Errno ?? .ioError)
        }
    }

    /// Whether a file begins as ncdu, gdu and we write it: `[1,2,{"progname":`, with or without spaces.
    private static func beginsAsListing(_ bytes: [UInt8]) -> Bool {
        let start = bytes.filter { !" \t\r\n".utf8.contains($0) }
        guard start.starts(with: "[1,".utf8) else { return false }
        let version = start.dropFirst(3)
        let rest = version.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return rest.count < version.count && rest.starts(with: ",{\"progname\":".utf8)
    }

    private func write(_ bytes: [UInt8], to file: FileDescriptor) throws(HeadroomError) {
        do {
            try file.writeAll(bytes)
        } catch {
            throw HeadroomError("write", path, error as? Errno ?? .ioError)
        }
    }
}
