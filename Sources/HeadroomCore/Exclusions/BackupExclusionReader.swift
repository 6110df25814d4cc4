//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
public import SystemPackage

/// Reads whether backups leave files and directories out, and by whose word.
///
///     let reader = workspace.backupExclusionReader()
///     try reader.exclusion(of: path)
///
/// A value as of the moment it was made, as far as areas and the ledger go. All calls block. What may
/// not be read counts as unsaid.
public struct BackupExclusionReader: Sendable {
    private let calls: any FileSystemCalls & AttributeCalls
    private let flags: BackupFlags
    private let marks: LedgerMarkSource
    /// By the real path of their roots.
    private let areas: [FilePath: Area]
    private let allowsClassMark: @Sendable (FilePath) -> Bool

    package init(
        calls: any FileSystemCalls & AttributeCalls, recorded: [MarkedFile], areas: [Area],
        allowsClassMark: @escaping @Sendable (FilePath) -> Bool
    ) {
        self.calls = calls
        flags = BackupFlags(calls)
        marks = LedgerMarkSource(calls: calls, recorded: recorded)
        self.areas = Dictionary(areas.map { ($0.root, $0) }) { first, _ in first }
        self.allowsClassMark = allowsClassMark
    }

    /// Whether backups leave something out.
    ///
    /// - Parameter path: absolute. A link is not followed, and says nothing itself.
    /// - Throws: `notFound`, `notPermitted`.
    /// - Complexity: O(components): it reads every directory around. A walk asks ``directory(_:)``
    ///   once, and then from directory to directory.
    public func exclusion(of path: FilePath) throws(HeadroomError) -> BackupExclusion {
        guard let last = path.names.last, last.text != "..", last.text != "." else {
            return try directory(path).exclusion
        }
        do throws(Errno) {
            let parent = try ResolvedDirectory(path.removingLastComponent())
            let outer = try directory(parent)
            let descriptor = parent.descriptor.rawValue
            return try last.withEntryName { (name) throws(Errno) in
                let status = try calls.status(of: name, at: descriptor)
                guard status.type == .directory else {
                    return file(name, status, at: descriptor, in: outer, asksForMarks: true)
                }
                let inner = try ResolvedDirectory(path, followingLast: false)
                return directory(
                    inner.path, open: inner.descriptor.rawValue, status, in: outer
                ).exclusion
            }
        } catch {
            throw HeadroomError("read the backup flags of", path, error)
        }
    }

    /// What a directory says and hands down.
    ///
    /// - Parameter path: absolute; links are followed.
    /// - Throws: as ``exclusion(of:)``.
    public func directory(_ path: FilePath) throws(HeadroomError) -> DirectoryBackup {
        do throws(Errno) {
            return try directory(ResolvedDirectory(path))
        } catch {
            throw HeadroomError("read the backup flags of", path, error)
        }
    }

    // MARK: - In a walk

    /// What a directory says and hands down, the one around it being known.
    ///
    /// - Parameters:
    ///   - path: its real path.
    ///   - descriptor: open, be it for searching alone.
    package func directory(
        _ path: FilePath, open descriptor: Int32, _ status: FileStatus, in outer: DirectoryBackup?
    ) -> DirectoryBackup {
        guard descriptor >= 0 else {
            return DirectoryBackup(unseenWord(path), in: outer)
        }
        return DirectoryBackup(word(of: path, open: descriptor, status), in: outer)
    }

    /// What can be told of a directory by its place alone.
    package func unseen(_ path: FilePath, in outer: DirectoryBackup) -> DirectoryBackup {
        DirectoryBackup(unseenWord(path), in: outer)
    }

    private func unseenWord(_ path: FilePath) -> DirectoryBackup.Word {
        DirectoryBackup.Word(
            path: path, mark: .none, dialects: [], area: areas[path], allowsClass: false)
    }

    /// Essential areas, in which things are backed up wherever they lie.
    package var essentialRoots: [FilePath] {
        areas.values.filter { $0.purgeClass == .essential }.map(\.root)
    }

    private func word(
        of path: FilePath, open descriptor: Int32, _ status: FileStatus
    ) -> DirectoryBackup.Word {
        let reading = FileName(unchecked: [0x2E]).withEntryName {
            marks.reading(ofFile: $0, at: descriptor, status)
        }
        let mark = reading?.trusted ?? .none
        return DirectoryBackup.Word(
            path: path, mark: mark, dialects: flags.read(ofDirectory: descriptor, status),
            area: areas[path], allowsClass: mark.purgeClass != nil && allowsClassMark(path),
            hasMarkedFiles: reading?.hasMarkedFiles ?? false)
    }

    /// Whether backups leave an entry out that is no directory.
    ///
    /// - Parameter directory: open; the one that `outer` is about.
    package func file(
        _ name: EntryName, _ status: FileStatus, at directory: Int32, in outer: DirectoryBackup
    ) -> BackupExclusion {
        file(name, status, at: directory, in: outer, asksForMarks: false)
    }

    private func file(
        _ name: EntryName, _ status: FileStatus, at directory: Int32, in outer: DirectoryBackup,
        asksForMarks: Bool
    ) -> BackupExclusion {
        var mark = Mark.none
        // As a scan does it: a mark is looked for where its directory or the ledger announces one.
        if asksForMarks || outer.hasMarkedFiles || marks.isKnown(inode: status.identity.inode) {
            mark = marks.reading(ofFile: name, at: directory, status)?.trusted ?? .none
        }
        let dialects = flags.read(name, status, at: directory)
        if mark.isEmpty, dialects.isEmpty {
            return outer.handedDown
        }
        let path = outer.path.appending(name.owned)
        return DirectoryBackup(
            DirectoryBackup.Word(
                path: path, mark: mark, dialects: dialects, area: nil, allowsClass: true),
            in: outer
        ).exclusion
    }

    // MARK: - All around a directory

    private func directory(
        _ resolved: borrowing ResolvedDirectory
    ) throws(Errno) -> DirectoryBackup {
        // From the inside outwards, one descriptor at a time.
        var path = resolved.path
        var status = resolved.status
        var current = try ResolvedDirectory.reopen(resolved.descriptor.rawValue)
        var words = [word(of: path, open: current.rawValue, status)]
        for outer in resolved.ancestors {
            current = try ResolvedDirectory.parent(of: current.rawValue)
            path.removeLastComponent()
            status = outer
            words.append(word(of: path, open: current.rawValue, status))
        }
        var found = DirectoryBackup(words.removeLast(), in: nil)
        while let inner = words.popLast() { found = DirectoryBackup(inner, in: found) }
        return found
    }
}

extension DirectoryBackup {
    /// What holds for an entry that says nothing itself.
    var handedDown: BackupExclusion {
        if let flag { return .inherited(from: flag.path, flag.dialects) }
        if let location { return .byLocation(location) }
        return .none
    }
}
