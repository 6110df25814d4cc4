//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import GRDB
import HeadroomConfiguration
public import HeadroomEngine
public import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

// A person may name any file as the history's. What is there is written to, or set aside, only after it was seen to be
// a history; until then it is read, and never through SQLite, which makes files beside what it opens.
extension History {
    /// Stands in the header of each history: “Hdrm”.
    static let applicationID: Int32 = 0x4864_726D

    /// What has the path of a history.
    enum Holder {
        case nothing
        /// Nothing, and files beside it, which SQLite would remove as what a database that is gone has left.
        case companions
        case history
        /// A database that is none of ours.
        case otherDatabase
        /// No database, or one that is damaged so that nobody can tell whose it is.
        case unknown
    }

    private static let magic = Array("SQLite format 3\0".utf8)
    private static let headerSize = 100
    /// Ten years of a hundred volumes and areas are less; what is longer is not copied to be looked at.
    private static let sizeLimit: Int64 = 256 << 20
    private static let ourTables: Set<String> = [
        "volume", "sample", "subject", "usage", "receipt", "freed", "event", "grdb_migrations",
    ]

    /// Why a file cannot be the history that a configuration names; nil: it can, or it is missing, or only
    /// another user may look. Changes nothing. Blocks.
    public static func refusal(ofNamed path: FilePath) -> HeadroomError? {
        do throws(HeadroomError) {
            return refusal(of: try holder(of: path), at: path, isNamed: true)
        } catch {
            return error.code == .notPermitted ? nil : error
        }
    }

    static func refusal(of holder: Holder, at path: FilePath, isNamed: Bool) -> HeadroomError? {
        let what: String
        switch holder {
        case .nothing, .history: return nil
        case .otherDatabase: what = "is a database of another program"
        case .companions:
            // At the usual place they are what is left of a history.
            guard isNamed else { return nil }
            let names = companions(of: path).map(\.displayText).joined(separator: ", ")
            return HeadroomError(
                .refused,
                "A history at \(path.displayText) would take the place of \(names), which is left as it is. "
                    + "Name another file under history: path: in the configuration, or move it away."
            )
        case .unknown:
            // At the usual place a file is the history, as far as anybody knows.
            // mutation: r29h-6
            guard isNamed else { return nil }
            what = "is no history of Headroom's, or one that is damaged"
        }
        return HeadroomError(
            .refused,
            "\(path.displayText) \(what). It is left as it is. Name another file under history: path: in "
                + "the configuration, or move it away.")
    }

    /// What has a path, found out without changing it.
    static func holder(of path: FilePath) throws(HeadroomError) -> Holder {
        do {
            let (head, size) = try Self.head(of: path)
            // mutation: r29h-1
            guard !head.isEmpty else { return hasForeignCompanions(path) ? .companions : .nothing }
            guard head.count == headerSize, head.starts(with: magic) else { return .unknown }
            let id = head[68..<72].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            if id == UInt32(applicationID) { return .history }
            guard size <= sizeLimit else { return .otherDatabase }
            // From before histories had a number; another number may also be damage, which shows here.
            let tables = try Self.tables(of: path)
            // mutation: r29h-5
            return id == 0 && tables == ourTables ? .history : .otherDatabase
        } catch let error as DatabaseError {
            guard isDamage(error) else { throw translated(error, "read", path) }
            return .unknown
        } catch {
            throw translated(error, "open", path)
        }
    }

    /// What SQLite makes beside a database, and removes.
    static let companionSuffixes = ["-journal", "-wal", "-shm"]

    /// The files beside a database that SQLite takes for its own.
    private static func companions(of path: FilePath) -> [FilePath] {
        companionSuffixes.map { FilePath(path.string + $0) }.filter(ConfigurationFile.exists)
    }

    /// Whether there are any that a history which is being made has not left: it is an empty file for a moment.
    private static func hasForeignCompanions(_ path: FilePath) -> Bool {
        let companions = companions(of: path)
        guard ConfigurationFile.exists(path) else { return !companions.isEmpty }
        return !companions.allSatisfy { companion in
            guard let (head, _) = try? head(of: companion) else { return false }
            return head.isEmpty || companionBeginnings.contains { head.starts(with: $0) }
        }
    }

    /// Of a rollback journal, a write-ahead log and its index (sqlite.org/fileformat2.html, 3 and 4).
    private static let companionBeginnings: [[UInt8]] = [
        [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7], [0, 0, 0, 0, 0, 0, 0, 0],
        [0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83], [0x18, 0xE2, 0x2D, 0x00],
    ]

    /// The beginning of a file and its length; nothing where there is none.
    private static func head(of path: FilePath) throws -> ([UInt8], size: Int64) {
        guard ConfigurationFile.exists(path) else { return ([], 0) }
        let file = try FileDescriptor.open(
            path, .readOnly, options: [.noFollow, .nonBlocking, .closeOnExec])
        defer { try? file.close() }  // Nothing was written through it.
        var status = stat()
        guard unsafe fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
        guard UInt32(status.st_mode) & UInt32(S_IFMT) == UInt32(S_IFREG) else {
            throw HeadroomError(.refused, "\(path.displayText) is no regular file. Name another.")
        }
        let head = unsafe try [UInt8](unsafeUninitializedCapacity: headerSize) { buffer, count in
            // Reads at most as much as the buffer has room for.
            count = unsafe try file.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
        return (head, Int64(status.st_size))
    }

    /// The tables of a database, read in a copy, with what lies beside it.
    ///
    /// - Throws: ``DatabaseError`` for one that is damaged, and for none.
    private static func tables(of path: FilePath) throws -> Set<String> {
        let files = FileManager.default
        let place = files.temporaryDirectory
            .appendingPathComponent("headroom-history-\(UUID().uuidString)")
        try files.createDirectory(
            at: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? files.removeItem(at: place) }  // Whoever empties the directory does it then.
        let copy = place.appendingPathComponent("copy.sqlite").path
        for suffix in ["", "-wal"] where files.fileExists(atPath: path.string + suffix) {
            try files.copyItem(atPath: path.string + suffix, toPath: copy + suffix)
        }
        let database = try DatabaseQueue(path: copy)
        let names = try database.read { db in
            try String.fetchSet(
                db,
                sql: """
                    SELECT name FROM sqlite_master WHERE type IN ('table', 'view', 'trigger')
                    AND name NOT LIKE 'sqlite~_%' ESCAPE '~'
                    """)
        }
        try database.close()
        return names
    }
}
