//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
public import SystemPackage

/// Sets, reads and clears marks on files and directories.
///
/// A mark is kept in an attribute of the file and recorded in the ledger. Where the attribute cannot
/// be written (the file system keeps none, or the file may not be written) the ledger alone holds
/// it. All calls block; what they change is on disk when they return.
public struct MarkStore: Sendable {
    let calls: any FileSystemCalls & AttributeCalls
    let ledger: any MarkLedger

    package init(calls: any FileSystemCalls & AttributeCalls, ledger: any MarkLedger) {
        self.calls = calls
        self.ledger = ledger
    }

    /// Where a mark was put.
    public enum Place: Hashable, Sendable {
        /// In the file's attribute and in the ledger.
        case attribute
        /// In the ledger alone, since the attribute could not be written.
        case ledgerOnly(Errno)
    }

    /// The mark of a file or directory itself, without what it inherits.
    ///
    /// A damaged attribute reads as a pin. The ledger is asked as well.
    ///
    /// - Parameter path: absolute. A link is not followed and has no mark.
    /// - Throws: `notFound`, `notPermitted`, and what the ledger throws.
    public func mark(of path: FilePath) throws(HeadroomError) -> Mark {
        let place = try open(path, "read the mark of")
        return mark(of: place)
    }

    /// Changes the mark of a file or directory part by part.
    ///
    /// One that leaves it out of backups is told to backup programs too, as far as the file system
    /// can hold that; ``BackupExclusionReader`` shows how far. A class does the same where
    /// `excludesByClass` allows it.
    ///
    /// Setting a mark on a file first tells its directory that there are marked files in it, so that
    /// a crash in between leaves a directory that is read in vain, and never a mark that is missed.
    /// Then what protects goes before what permits: a crash leaves no more permission than there was
    /// before or is wanted.
    ///
    /// - Parameters:
    ///   - path: absolute. A link is not followed.
    ///   - excludesByClass: whether a class also leaves it out of backups, unless the mark says
    ///     otherwise; asked only if there is a class.
    ///   - change: is given the present mark; an empty one at its end clears.
    /// - Returns: where the mark is now.
    /// - Throws: `invalid` for links, FIFOs, sockets and devices, which cannot be marked; `notFound`,
    ///   `notPermitted`; `refused` if the present mark is damaged and `replacingDamaged` is not set; what
    ///   the ledger throws. The mark is as it was before then.
    @discardableResult
    public func update(
        _ path: FilePath, replacingDamaged: Bool = false,
        excludesByClass: () -> Bool = { false }, _ change: (inout Mark) -> Void
    ) throws(HeadroomError) -> Place {
        let place = try open(path, "mark")
        let present = MarkAttribute.read(place.file.rawValue, calls)
        guard !present.isDamaged || replacingDamaged else {
            throw HeadroomError(
                .refused,
                "The mark on \(path.displayText) is damaged or of a later version of Headroom, and "
                    + "protects it as it is. Clear it first: headroom mark --clear, then set it anew."
            )
        }
        let before = present.isDamaged ? .none : self.mark(of: place)
        var mark = before
        change(&mark)
        let result = try put(mark, over: present, from: before, on: place)
        settleBackup(before, mark, on: place, excludesByClass: excludesByClass)
        return result
    }

    /// Removes the mark of a file or directory, also a damaged one, from attribute and ledger, and
    /// what was set beside it for backup programs.
    ///
    /// That a directory has marked files in it stays noted, since others may be marked.
    ///
    /// - Throws: as ``update(_:replacingDamaged:excludesByClass:_:)``.
    public func clear(_ path: FilePath) throws(HeadroomError) {
        try update(path, replacingDamaged: true, excludesByClass: { true }) { $0 = .none }
        // Also where the mark that it went with was lost.
        let place = try open(path, "mark")
        for recorded in standingPins(on: place) {
            var mark = recorded.mark
            // mutation: r9b-2
            mark.isPinned = nil
            try ledger.setMark(
                mark, for: recorded.key, path: recorded.path, isDirectory: recorded.isDirectory)
        }
        if place.isDirectory {
            _ = BackupFlags(calls).remove(.ownTag, from: place.file.rawValue, isDirectory: true)
        }
    }

    /// The mark that holds for a file or directory: its own, with what it leaves open taken from all
    /// directories around it.
    ///
    /// - Parameter path: absolute.
    public func effectiveMark(of path: FilePath) throws(HeadroomError) -> Mark {
        try heldMark(of: path).mark
    }

    /// The same, with the user on whose word its class holds.
    package func heldMark(of path: FilePath) throws(HeadroomError) -> HeldMark {
        let place: OpenPlace
        do throws(HeadroomError) {
            place = try open(path, "read the mark of")
        } catch {
            guard error.cause == .permissionDenied, let held = try heldMark(ofUnreadable: path)
            else { throw error }
            return held
        }
        let status: FileStatus
        do throws(Errno) {
            status = try calls.status(of: place.file.rawValue)
        } catch {
            throw HeadroomError("read the mark of", path, error)
        }
        let parent: ResolvedDirectory
        do throws(Errno) {
            parent = try ResolvedDirectory(path.removingLastComponent())
        } catch {
            throw HeadroomError("read the marks around", path, error)
        }
        let outer = try chain(from: parent).reversed().reduce(HeldMark.none) {
            $0.entering($1.reading, $1.status, in: .none)
        }
        let mark = mark(of: place)
        let reading = MarkReading(
            mark: mark,
            permission: permission(of: mark, status, recorded: ledger.mark(for: place.key)))
        return outer.entering(reading, status, in: .none)
    }

    /// The mark that holds for a directory that the user may only search, as a directory of others in `/tmp`.
    ///
    /// - Returns: nil if it isn't a directory.
    private func heldMark(ofUnreadable path: FilePath) throws(HeadroomError) -> HeldMark? {
        let directory: ResolvedDirectory
        do throws(Errno) {
            directory = try ResolvedDirectory(path, followingLast: false)
        } catch .notDirectory {
            return nil
        } catch {
            throw HeadroomError("read the mark of", path, error)
        }
        return try chain(from: directory).reversed().reduce(HeldMark.none) {
            $0.entering($1.reading, $1.status, in: .none)
        }
    }

    /// Whose files a mark can permit to purge.
    private func permission(
        of mark: Mark, _ status: FileStatus, recorded: Mark?
    ) -> MarkPermission {
        MarkPermission(of: mark, status, recorded: recorded, isPrivileged: User.isRoot)
    }
}

// MARK: - Around a directory

extension MarkStore {
    /// A directory and its own mark.
    package struct Link: Hashable, Sendable {
        package let status: FileStatus
        package let reading: MarkReading

        package var identity: FileIdentity { status.identity }
        package var isDamaged: Bool { reading.isDamaged }

        /// Its mark, without parts that another user may have set and that permit a purge.
        package var mark: Mark { reading.trusted }
    }

    /// The marks of a directory and of those around it, from the inside outwards to the root.
    ///
    /// A directory whose attributes the user may not read counts as unmarked if it is another user's and has no
    /// mark, and else as damaged, which protects.
    package func chain(from directory: borrowing ResolvedDirectory) throws(HeadroomError) -> [Link]
    {
        do throws(Errno) {
            var links: [Link] = []
            var current = try Self.duplicate(directory.descriptor.rawValue)
            var status = directory.status
            for depth in 0...directory.ancestors.count {
                links.append(try link(current.rawValue, status))
                guard depth < directory.ancestors.count else { break }
                current = try ResolvedDirectory.parent(of: current.rawValue)
                status = try ResolvedDirectory.status(current.rawValue)
            }
            return links
        } catch {
            throw HeadroomError("read the marks around", directory.path, error)
        }
    }

    private func link(_ directory: Int32, _ status: FileStatus) throws(Errno) -> Link {
        var attribute = MarkAttribute.none
        do throws(Errno) {
            attribute =
                try FileName(unchecked: [0x2E]).withEntryName { (name) throws(Errno) in
                    try calls.attribute(MarkAttribute.name, of: name, at: directory)
                }.map(MarkAttribute.init(decoding:)) ?? .none
        } catch .permissionDenied where status.owner != User.effective {
            // The names of attributes can be read nevertheless.
            if AttributeNames.contain(MarkAttribute.name, of: directory) { attribute = .damaged }
        } catch {
            attribute = .damaged
        }
        let key = FileKey(
            status, fileSystemID: try VolumeFigures.fileSystemID(of: directory))
        let recorded = ledger.mark(for: key)
        let mark = attribute.mark.completed(by: recorded, of: key)
        return Link(
            status: status,
            reading: MarkReading(
                mark: mark, isDamaged: attribute.isDamaged,
                permission: permission(of: mark, status, recorded: recorded)))
    }

    private static func duplicate(_ descriptor: Int32) throws(Errno) -> Descriptor {
        try ResolvedDirectory.reopen(descriptor)
    }
}

// MARK: - One file

extension MarkStore {
    /// An open file or directory that can be marked, and the directory it is in.
    struct OpenPlace: ~Copyable {
        let path: FilePath
        let file: Descriptor
        /// The directory around a file.
        let parent: Descriptor
        let key: FileKey
        /// A directory needs no note in its parent: a scan reads the attributes of all directories.
        let isDirectory: Bool
    }

    func open(_ path: FilePath, _ operation: String) throws(HeadroomError) -> OpenPlace {
        guard path.isAbsolute else {
            throw HeadroomError(
                .invalid, "Could not \(operation) \"\(path.displayText)\": name an absolute path.")
        }
        ledger.refresh()
        do throws(Errno) {
            if let place = try locate(path) { return place }
        } catch {
            throw HeadroomError(operation, path, error)
        }
        throw HeadroomError(
            .invalid,
            "Could not \(operation) \(path.displayText): only files and directories carry marks, and "
                + "it is a link or a special file. Mark the directory it is in, or what the link "
                + "points to.")
    }

    /// - Returns: nil for what cannot be marked.
    private func locate(_ path: FilePath) throws(Errno) -> OpenPlace? {
        guard let last = path.names.last, last.text != "..", last.text != "." else {
            let directory = try ResolvedDirectory(path)
            let file = try openReading(directory.descriptor.rawValue)
            let key = try self.key(file.rawValue)
            let parent = try ResolvedDirectory.parent(of: file.rawValue)
            return OpenPlace(path: path, file: file, parent: parent, key: key, isDirectory: true)
        }
        let around = try ResolvedDirectory(path.removingLastComponent())
        let parent = try ResolvedDirectory.reopen(around.descriptor.rawValue)
        let parentNumber = parent.rawValue
        let type = try last.withEntryName { (name) throws(Errno) in
            try calls.status(of: name, at: parentNumber).type
        }
        guard type == .regular || type == .directory else { return nil }
        let file = Descriptor(
            owning: try last.withEntryName { (name) throws(Errno) in
                type == .directory
                    ? try calls.openDirectory(name, at: parentNumber, crossingMounts: true)
                    : try calls.openFile(name, at: parentNumber, writing: false)
            })
        let key = try self.key(file.rawValue)
        return OpenPlace(
            path: path, file: file, parent: parent, key: key, isDirectory: type == .directory)
    }

    private func key(_ descriptor: Int32) throws(Errno) -> FileKey {
        FileKey(
            try calls.status(of: descriptor),
            fileSystemID: try VolumeFigures.fileSystemID(of: descriptor))
    }

    private func openReading(_ directory: Int32) throws(Errno) -> Descriptor {
        Descriptor(
            owning: try FileName(unchecked: [0x2E]).withEntryName { (name) throws(Errno) in
                try calls.openDirectory(name, at: directory, crossingMounts: true)
            })
    }

    func mark(of place: borrowing OpenPlace) -> Mark {
        let present = MarkAttribute.read(place.file.rawValue, calls).mark
        var mark = present.completed(by: ledger.mark(for: place.key), of: place.key)
        if mark.isPinned == nil, !standingPins(on: place).isEmpty { mark.isPinned = true }
        return mark
    }

    /// Publishes the mark to backup programs, in every format that they understand and the file system
    /// can hold.
    ///
    /// A format that cannot be set is not a failure: the mark holds, and exclude lists follow it.
    /// Exclusions that others had set before are noted, and are kept when the mark is cleared.
    ///
    /// - Parameter isRestored: the mark existed before and was lost; the file's exclusions may be from
    ///   then.
    func settleBackup(
        _ before: Mark, _ mark: Mark, on place: borrowing OpenPlace, isRestored: Bool = false,
        excludesByClass: () -> Bool
    ) {
        let flags = BackupFlags(calls)
        let file = place.file.rawValue
        let hadClass = before.isExcludedByClass
        let hasClass = mark.isExcludedByClass
        let classCounts = (hadClass || hasClass) && excludesByClass()
        let wasExcluded = before.isExcludedFromBackup == true || (hadClass && classCounts)
        // mutation: r11a-1
        if mark.isExcludedFromBackup == true || (hasClass && classCounts) {
            // mutation: r11d-2
            if !wasExcluded, !isRestored { flags.noteForeign(on: file) }
            _ = flags.set(on: file, isDirectory: place.isDirectory)
        } else if wasExcluded {
            _ = flags.removeOwn(from: file, isDirectory: place.isDirectory)
        } else {
            return
        }
        try? calls.synchronize(file)
    }

    /// Puts a mark on an open file or directory, and records it.
    ///
    /// Three steps: what protects goes into the attribute, then the whole to the ledger, then the rest
    /// into the attribute. So there is no moment, and no failure, in which the attribute alone permits
    /// something, or a protection is gone that both the old mark and the new one have.
    ///
    /// - Parameters:
    ///   - present: what is in the attribute.
    ///   - before: the mark that holds until now, with what the ledger adds to the attribute.
    /// - Throws: what kept it from being put, after what was there before has been put back.
    func put(
        _ mark: Mark, over present: MarkAttribute, from before: Mark,
        on place: borrowing OpenPlace
    ) throws(HeadroomError) -> Place {
        if !mark.isEmpty, !place.isDirectory { noteMarkedFile(in: place) }
        let recorded = ledger.mark(for: place.key)
        let guarded = before.guarded(by: mark)
        var current = present
        var result = Place.attribute
        var isRecorded = false
        do throws(HeadroomError) {
            // mutation: r9h-1
            if guarded != before { result = try write(guarded, over: &current, on: place) }
            // What was never recorded needs no record of being cleared.
            if !mark.isEmpty || recorded != nil {
                try ledger.setMark(
                    mark, for: place.key, path: place.path, isDirectory: place.isDirectory)
                isRecorded = true
            }
            if guarded == before || guarded != mark {
                result = try write(mark, over: &current, on: place)
            }
            return result
        } catch {
            let left = putBack(present, recorded, wasRecorded: isRecorded, on: place)
            throw HeadroomError(error.code, error.message + left, cause: error.cause)
        }
    }

    /// Writes the attribute of a mark.
    ///
    /// - Parameter current: what is in it; then what it is now.
    private func write(
        _ mark: Mark, over current: inout MarkAttribute, on place: borrowing OpenPlace
    ) throws(HeadroomError) -> Place {
        let attribute = MarkAttribute(
            mark: mark, hasMarkedFiles: place.isDirectory && current.hasMarkedFiles)
        do throws(Errno) {
            try write(attribute, on: place.file.rawValue)
        } catch {
            // Where nothing is in the attribute, the ledger alone can say what the mark is.
            guard current == .none, Self.leavesItToLedger.contains(error) else {
                throw HeadroomError("mark", place.path, error)
            }
            return .ledgerOnly(error)
        }
        current = attribute
        return .attribute
    }

    /// Puts back what was there before a mark that could not be put: the record, then the attribute.
    ///
    /// - Parameter wasRecorded: the ledger has the new mark on disk, and not only in memory.
    /// - Returns: what could not be put back and permits something, as a sentence; empty: nothing.
    private func putBack(
        _ present: MarkAttribute, _ recorded: Mark?, wasRecorded: Bool,
        on place: borrowing OpenPlace
    ) -> String {
        var left = ""
        // mutation: r9h-2
        if ledger.mark(for: place.key) != recorded {
            do throws(HeadroomError) {
                try ledger.setMark(
                    recorded ?? Mark.none, for: place.key, path: place.path,
                    isDirectory: place.isDirectory)
            } catch {
                // What could not be written before either is forgotten by this process now.
                if wasRecorded {
                    left =
                        " The ledger has the new mark all the same (\(error.message)). Take it off: "
                        + "headroom mark --clear \(place.path.shellText)"
                }
            }
        }
        // A damaged one cannot be encoded, and has not been replaced.
        if !present.isDamaged, MarkAttribute.read(place.file.rawValue, calls) != present {
            // What cannot be written here stays more protective than it was.
            try? write(present, on: place.file.rawValue)
        }
        return left
    }

    private static let leavesItToLedger: Set<Errno> = [
        .notSupported, .permissionDenied, .notPermitted, .noSpace, Errno(rawValue: 122),
        .readOnlyFileSystem,
    ]

    /// Notes in a file's directory that there are marked files in it.
    ///
    /// If it cannot be noted, the ledger leads a scan to the file, and the purger reads every
    /// candidate's mark once more before it goes.
    private func noteMarkedFile(in place: borrowing OpenPlace) {
        guard let directory = try? openReading(place.parent.rawValue) else { return }
        var attribute = MarkAttribute.read(directory.rawValue, calls)
        guard !attribute.hasMarkedFiles else { return }
        attribute.hasMarkedFiles = true
        try? write(attribute, on: directory.rawValue)
    }

    private func write(_ attribute: MarkAttribute, on file: Int32) throws(Errno) {
        if attribute.isEmpty {
            guard try calls.removeAttribute(MarkAttribute.name, of: file) else { return }
        } else {
            try calls.setAttribute(MarkAttribute.name, to: attribute.encoded, of: file)
        }
        try calls.synchronize(file)
    }
}
