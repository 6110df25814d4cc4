//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
package import SystemPackage

/// Reads, sets and removes what backup programs read, on one open file or directory.
package struct BackupFlags: Sendable {
    private let calls: any FileSystemCalls & AttributeCalls
    /// The system's own word; nil where it has none.
    private let system: (any SystemBackupFlag)?

    package init(
        _ calls: any FileSystemCalls & AttributeCalls,
        system: (any SystemBackupFlag)? = AppleBackupFlag.ofThisSystem
    ) {
        self.calls = calls
        self.system = system
    }

    /// Common extended attributes of freedesktop.org: `true` to be backed up, `false` not to be.
    package static let attribute: AttributeName = "user.xdg.robots.backup"
    package static let excluded = Array("false".utf8)

    /// Lists the dialects that others had set before Headroom set its own; absent if they had set nothing.
    #if canImport(Darwin)
    package static let foreignNote: AttributeName = "headroom.backup"
    #else
    package static let foreignNote: AttributeName = "user.headroom.backup"
    #endif

    /// What was done, and what could not be.
    package struct Outcome: Hashable, Sendable {
        package var dialects: BackupDialects = []
        /// In the order in which they were tried.
        package var failures: [Failure] = []

        package struct Failure: Hashable, Sendable {
            package var dialect: BackupDialects
            package var error: Errno

            package init(dialect: BackupDialects, error: Errno) {
                self.dialect = dialect
                self.error = error
            }
        }
    }

    /// Sets all dialects that the file system can hold. One that it cannot is no error: the others,
    /// and the exclude lists, hold.
    package func set(on file: Int32, isDirectory: Bool) -> Outcome {
        var outcome = Outcome()
        func attempt(_ dialect: BackupDialects, _ body: () throws(Errno) -> Void) {
            do {
                try body()
                outcome.dialects.insert(dialect)
            } catch {
                outcome.failures.append(Outcome.Failure(dialect: dialect, error: error))
            }
        }
        if isDirectory {
            attempt(.ownTag) { () throws(Errno) in try CacheDirectoryTag.put(in: file, calls) }
        }
        attempt(.attribute) { () throws(Errno) in
            try calls.setAttribute(Self.attribute, to: Self.excluded, of: file)
        }
        // New files inherit the flag of their directory (ext4, XFS, tmpfs), and would keep it wherever
        // they are moved to: a directory has its tag instead.
        if !isDirectory {
            attempt(.noDump) { () throws(Errno) in try NoDumpFlag.set(true, of: file) }
        }
        // mutation: r11e-1 (3 lines)
        if let system {
            attempt(.apple) { () throws(Errno) in try system.set(true, of: file) }
        }
        return outcome
    }

    /// Sets on a file what one that it replaces had. As far as it can hold it: saving it matters more.
    package func carry(_ dialects: BackupDialects, to file: Int32) {
        if dialects.contains(.attribute) {
            try? calls.setAttribute(Self.attribute, to: Self.excluded, of: file)
        }
        if dialects.contains(.noDump) { try? NoDumpFlag.set(true, of: file) }
        if dialects.contains(.apple) { try? system?.set(true, of: file) }
    }

    /// Notes which dialects others have set, before Headroom sets its own. Where it cannot be noted,
    /// removing takes them for Headroom's.
    func noteForeign(on file: Int32) {
        var found: BackupDialects = []
        if (try? calls.attribute(Self.attribute, of: file)) == Self.excluded {
            found.insert(.attribute)
        }
        if (try? calls.status(of: file).isNoDump) == true { found.insert(.noDump) }
        if let system, (try? calls.attribute(system.attribute, of: file)) != nil {
            found.insert(.apple)
        }
        guard !found.isEmpty else { return }
        let text = found.names.joined(separator: " ")
        try? calls.setAttribute(Self.foreignNote, to: Array(text.utf8), of: file)
    }

    /// The dialects that others had set before Headroom set its own.
    func foreign(of file: Int32) -> BackupDialects {
        // A note that cannot be read does not count.
        guard let value = try? calls.attribute(Self.foreignNote, of: file) else { return [] }
        let names = Set(String(decoding: value, as: UTF8.self).split(separator: " "))
        let known: [BackupDialects] = [.attribute, .noDump, .apple]
        return known.reduce(into: []) { found, dialect in
            if dialect.names.contains(where: { names.contains($0[...]) }) { found.insert(dialect) }
        }
    }

    /// Removes the dialects that Headroom has set, and keeps those that others had set before.
    func removeOwn(from file: Int32, isDirectory: Bool) -> Outcome {
        let foreign = foreign(of: file)
        let outcome = remove(
            BackupDialects.readByPrograms.subtracting(foreign), from: file,
            isDirectory: isDirectory)
        if !foreign.isEmpty {
            // If the note cannot be removed, the next mark overwrites it.
            _ = try? calls.removeAttribute(Self.foreignNote, of: file)
        }
        return outcome
    }

    /// Removes dialects: a tag only if it is Headroom's, an attribute only if it says `false`.
    ///
    /// - Parameter dialects: what may be removed.
    /// - Returns: what was removed, and what could not be.
    package func remove(_ dialects: BackupDialects, from file: Int32, isDirectory: Bool) -> Outcome
    {
        var outcome = Outcome()
        func attempt(_ dialect: BackupDialects, _ body: () throws(Errno) -> Bool) {
            guard dialects.contains(dialect) else { return }
            do {
                if try body() { outcome.dialects.insert(dialect) }
            } catch {
                outcome.failures.append(Outcome.Failure(dialect: dialect, error: error))
            }
        }
        if isDirectory {
            attempt(.ownTag) { () throws(Errno) in
                try CacheDirectoryTag.remove(from: file, calls)
            }
        }
        attempt(.attribute) { () throws(Errno) in
            // mutation: r11a-2
            guard try calls.attribute(Self.attribute, of: file) == Self.excluded else {
                return false
            }
            return try calls.removeAttribute(Self.attribute, of: file)
        }
        attempt(.noDump) { () throws(Errno) in
            // Directories never get it from Headroom.
            guard !isDirectory, try calls.status(of: file).isNoDump else { return false }
            try NoDumpFlag.set(false, of: file)
            return true
        }
        if let system {
            attempt(.apple) { () throws(Errno) in
                guard try calls.attribute(system.attribute, of: file) != nil else {
                    return false
                }
                try system.set(false, of: file)
                return true
            }
        }
        return outcome
    }

    // MARK: - Reading

    /// What an open directory says of itself, its mark apart. What cannot be read counts as unsaid:
    /// a backup that is too large is the lesser harm.
    package func read(ofDirectory directory: Int32, _ status: FileStatus) -> BackupDialects {
        var dialects = (try? CacheDirectoryTag.read(in: directory)) ?? []
        FileName(unchecked: [0x2E]).withEntryName { name in
            dialects.formUnion(read(name, status, at: directory))
        }
        return dialects
    }

    /// What a file says of itself, its mark apart.
    package func read(
        _ name: EntryName, _ status: FileStatus, at directory: Int32
    ) -> BackupDialects {
        guard status.type == .regular || status.type == .directory else { return [] }
        var dialects: BackupDialects = status.isNoDump ? .noDump : []
        if (try? calls.attribute(Self.attribute, of: name, at: directory)) == Self.excluded {
            dialects.insert(.attribute)
        }
        if let system,
            (try? calls.attribute(system.attribute, of: name, at: directory)) != nil
        {
            dialects.insert(.apple)
        }
        return dialects
    }
}
