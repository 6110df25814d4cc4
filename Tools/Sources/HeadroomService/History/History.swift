//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
import HeadroomConfiguration
public import HeadroomEngine
public import HeadroomPlatform
public import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What was, for forecasts and charts: samples of volumes, areas and modules, summaries of receipts, and
/// events, in one SQLite file.
///
///     let history = try History.open(at: path, now: .now())
///     try history.record([(HistoryVolume(volume), ForecastSample(figures, at: .now()))])
///     let samples = try history.samples(of: HistoryVolume(volume))
///
/// Nothing in it is needed for safety: it may be deleted at any time, and costs the forecast its past. One
/// process writes; others may read meanwhile. All calls block. What was recorded survives the death of the
/// process; a failure of power may cost the last minutes.
public final class History: Sendable {
    public let path: FilePath
    /// What people should know: that a damaged file was set aside.
    public let notices: [String]
    let database: DatabaseQueue

    private init(_ path: FilePath, _ database: DatabaseQueue, notices: [String]) {
        self.path = path
        self.database = database
        self.notices = notices
    }

    /// The file of this user's history where the configuration names none: `history.sqlite` beside the
    /// ledger.
    ///
    /// - Returns: nil if the user has no home directory.
    public static var defaultPath: FilePath? {
        Ledger.defaultDirectory?.appending("history.sqlite")
    }

    // MARK: - Opening

    /// Opens the history for writing, and makes it if it is missing, with its directory.
    ///
    /// A file that is damaged is set aside under another name, and a new one begun; ``notices`` says so.
    ///
    /// - Parameters:
    ///   - isNamed: a person has named the file, so that it may be anything: it is set aside only if it
    ///     is a history, for certain.
    ///   - now: for the name of what is set aside.
    /// - Throws: `refused` if it is another program's, which is left as it is, or a newer version of the
    ///   program has made it, else what went wrong.
    public static func open(
        at path: FilePath, isNamed: Bool = false, now: Timestamp
    ) throws(HeadroomError) -> History {
        let holder = try Self.holder(of: path)
        if let refusal = Self.refusal(of: holder, at: path, isNamed: isNamed) { throw refusal }
        var notices: [String] = []
        if holder == .companions {
            notices.append(
                "The history \(path.displayText) was gone. What was left beside it is now beside "
                    + "\(try setAside(path, now).displayText), and a new one was begun.")
        }
        try prepare(path)
        do {
            return History(path, try connect(path), notices: notices)
        } catch {
            guard isDamage(error) else { throw translated(error, "open", path) }
        }
        let aside = try setAside(path, now)
        try prepare(path)
        do {
            let notice =
                "The history \(path.displayText) was damaged. It is now \(aside.displayText), and a new "
                + "one was begun: forecasts start over. Nothing else depends on it; "
                + (holder == .history
                    ? "the old file may be deleted."
                    : "look whether it is yours before you delete the old file.")
            return History(path, try connect(path), notices: [notice])
        } catch {
            throw translated(error, "open", path)
        }
    }

    /// Opens a history to read what is in it, while another process writes or not.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: `damaged`, `refused` if it is another program's or a newer version has made it, else what
    ///   went wrong.
    public static func openReadOnly(at path: FilePath) throws(HeadroomError) -> History? {
        guard ConfigurationFile.exists(path) else { return nil }
        if try holder(of: path) == .otherDatabase,
            let refusal = Self.refusal(of: .otherDatabase, at: path, isNamed: true)
        {
            throw refusal
        }
        do {
            var configuration = Self.configuration
            configuration.readonly = true
            let database = try DatabaseQueue(path: path.string, configuration: configuration)
            try database.read { db in try refuseNewer(db, path) }
            return History(path, database, notices: [])
        } catch {
            throw translated(error, "read", path)
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "headroom.history"
        // A reader may hold a lock for a moment.
        configuration.busyMode = .timeout(5)
        return configuration
    }

    private static func connect(_ path: FilePath) throws -> DatabaseQueue {
        var configuration = Self.configuration
        configuration.journalMode = .wal
        configuration.prepareDatabase { db in
            // Only before the first table is made does it take effect.
            try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            // In the file itself before there is a journal beside it. Older histories have none yet.
            if try Int32.fetchOne(db, sql: "PRAGMA application_id") != History.applicationID {
                try db.execute(sql: "PRAGMA application_id = \(History.applicationID)")
            }
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 256")
            try db.execute(sql: "PRAGMA journal_size_limit = 1048576")
        }
        let database = try DatabaseQueue(path: path.string, configuration: configuration)
        try database.read { db in
            let verdict = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
            guard verdict == "ok" else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict)
            }
            try refuseNewer(db, path)
        }
        try migrator.migrate(database)
        return database
    }

    private static func refuseNewer(_ db: Database, _ path: FilePath) throws {
        guard try migrator.hasBeenSuperseded(db) else { return }
        throw HeadroomError(
            .refused,
            "The history \(path.displayText) was made by a newer version of Headroom, which this one "
                + "cannot read. Update this one, or name another file under history: path: in the "
                + "configuration.")
    }

    /// Makes the directory and an empty file that only the user may read, since SQLite would let others:
    /// what it makes beside it gets the same permissions.
    private static func prepare(_ path: FilePath) throws(HeadroomError) {
        let directory = path.removingLastComponent()
        do {
            try makeDirectories(directory)
            let file = try FileDescriptor.open(
                path, .readWrite, options: [.create, .closeOnExec, .noFollow],
                permissions: [.ownerReadWrite])
            try file.close()
        } catch {
            throw translated(error, "open", path)
        }
    }

    private static func makeDirectories(_ path: FilePath) throws {
        guard !ConfigurationFile.exists(path), !path.isEmpty else { return }
        try makeDirectories(path.removingLastComponent())
        let made = unsafe path.withPlatformString { unsafe mkdir($0, 0o700) }
        guard made == 0 || errno == EEXIST else { throw Errno(rawValue: errno) }
    }

    // MARK: - Damage

    static func isDamage(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    }

    /// Renames the file and what lies beside it.
    private static func setAside(
        _ path: FilePath, _ now: Timestamp
    ) throws(HeadroomError) -> FilePath {
        var aside = FilePath(path.string + ".damaged-\(now.seconds)")
        var number = 2
        while ([""] + companionSuffixes).contains(where: {
            ConfigurationFile.exists(FilePath(aside.string + $0))
        }) {
            aside = FilePath(path.string + ".damaged-\(now.seconds)-\(number)")
            number += 1
        }
        for suffix in companionSuffixes + [""] {
            let old = FilePath(path.string + suffix)
            guard ConfigurationFile.exists(old) else { continue }
            let new = FilePath(aside.string + suffix)
            let renamed = unsafe old.withPlatformString { from in
                unsafe new.withPlatformString { to in unsafe rename(from, to) }
            }
            guard renamed == 0 else {
                throw HeadroomError("set aside", old, Errno(rawValue: errno))
            }
        }
        return aside
    }

    static func translated(
        _ error: any Error, _ operation: String, _ path: FilePath
    ) -> HeadroomError {
        if let error = error as? HeadroomError { return error }
        if let error = error as? Errno { return HeadroomError(operation, path, error) }
        guard let error = error as? DatabaseError else {
            return HeadroomError(.io, "Could not \(operation) \(path.displayText): \(error).")
        }
        let (code, advice): (HeadroomError.Code, String) =
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB:
                (
                    .damaged,
                    "The service sets it aside when it starts next, unless it was named by hand. A history "
                        + "may be deleted, which costs the forecast its past and nothing else."
                )
            case .SQLITE_FULL:
                (.noSpace, "The volume is full; what was to be recorded is lost, and nothing else.")
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                (.busy, "Another process holds it; try again.")
            case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH:
                (.notPermitted, "Run as the user who owns it.")
            default: (.io, "")
            }
        let message = error.message ?? "\(error.resultCode)"
        return HeadroomError(
            code,
            "Could not \(operation) \(path.displayText): \(message)."
                + (advice.isEmpty ? "" : " \(advice)"))
    }

    // MARK: - Access

    func read<T>(_ body: (Database) throws -> T) throws(HeadroomError) -> T {
        do {
            return try database.read(body)
        } catch {
            throw Self.translated(error, "read", path)
        }
    }

    func write<T>(_ body: (Database) throws -> T) throws(HeadroomError) -> T {
        do {
            return try database.write(body)
        } catch {
            throw Self.translated(error, "write", path)
        }
    }

    /// Ends it: what is in the journal goes to the file. Nothing may be called after that.
    public func close() throws(HeadroomError) {
        do {
            try database.close()
        } catch {
            throw Self.translated(error, "close", path)
        }
    }
}
