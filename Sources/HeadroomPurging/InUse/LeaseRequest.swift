//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
import SystemPackage

/// The steps of taking a ``Lease``, each of which can be tried again.
struct LeaseRequest {
    private let path: FilePath
    private let parentPath: FilePath
    private let name: FileName
    private let books: [LockBook.Location]?
    private let calls = POSIXCalls()

    /// What a directory unit is called while a purge empties it begins with this.
    private static let goingPrefix = Array(ReservedName.prefix.utf8)

    init(_ path: FilePath, books: [LockBook.Location]?) throws(HeadroomError) {
        self.books = books
        guard !path.isEmpty else {
            throw HeadroomError(.invalid, "Name the file or directory to lease.")
        }
        do throws(Errno) {
            // An absolute path from the start: a relative one would go on to work in a directory
            // that has been renamed and is being emptied.
            var absolute =
                path.isAbsolute
                ? path : try PathCalls.workingDirectory().appending(path.components)
            if absolute.lastComponent?.kind != .regular {
                absolute = try PathCalls.resolved(absolute)
            }
            self.path = absolute
        } catch {
            throw HeadroomError("lease", path, error)
        }
        guard let last = self.path.lastComponent,
            let name = FileName(FilePath(root: nil, [last]).bytes)
        else {
            throw HeadroomError(.invalid, "\(path.displayText) cannot be leased: it is the root.")
        }
        self.name = name
        parentPath = self.path.removingLastComponent()
    }

    /// Takes the lease, or throws `busy` if it has to be tried again.
    ///
    /// The order is what makes leases exact. Locks first, then the question whether the path still
    /// leads to what is locked: a purger that was there before has removed or renamed the item,
    /// which is seen here; one that comes later sees the locks. A purger that renames a directory
    /// looks for locks in it *after* that, so one of the two always sees the other.
    func attempt() throws(HeadroomError) -> Lease {
        do throws(Errno) {
            let parent = try PathCalls.openDirectory(parentPath)
            let item = try open(at: parent.rawValue)
            let status = try calls.status(of: item.rawValue)
            if status.type == .directory {
                return try leaseDirectory(item, parent: parent)
            }
            guard status.type == .regular else { throw Errno.invalidArgument }
            return try lease(item, parent: parent, isDirectory: false)
        } catch {
            throw translated(error)
        }
    }

    /// A purge works on many directories one after the other, so for a directory with all below
    /// the area locks tell whether one is at work in it or around it. They are held only until
    /// the lease is: a purge that begins later finds the mark.
    private func leaseDirectory(
        _ item: consuming ProbedFile, parent: consuming Descriptor
    ) throws(Errno) -> Lease {
        let area: AreaLock
        do throws(HeadroomError) {
            area = try AreaLock.attempt(
                root: item.rawValue, path: path, purpose: "lease", books: books,
                allowsFallback: false)
        } catch {
            throw error.cause ?? .resourceBusy
        }
        let lease = try lease(item, parent: parent, isDirectory: true)
        _ = consume area
        return lease
    }

    private func lease(
        _ item: consuming ProbedFile, parent: consuming Descriptor, isDirectory: Bool
    ) throws(Errno) -> Lease {
        try share(parent.rawValue)
        if isDirectory { try FileLock.markWhole(item.rawValue) }
        try share(item.rawValue)
        try verify(item: item.rawValue, parent: parent.rawValue)
        return Lease(item: item, parent: parent)
    }

    private func share(_ descriptor: Int32) throws(Errno) {
        switch FileLock.tryShared(descriptor) {
        case .granted: return
        case .refused: throw .resourceBusy
        case .unsupported(let error): throw error
        }
    }

    /// Whether the whole path, resolved anew, still leads to what is locked.
    private func verify(item: Int32, parent: Int32) throws(Errno) {
        let place = try PathCalls.openDirectory(parentPath)
        let expected = try calls.status(of: parent)
        guard try calls.status(of: place.rawValue).identity == expected.identity else {
            throw .noSuchFileOrDirectory
        }
        let identity = try calls.status(of: item).identity
        let found = try name.withEntryName { (entry) throws(Errno) in
            try calls.status(of: entry, at: place.rawValue)
        }
        guard found.identity == identity else { throw .noSuchFileOrDirectory }
        // By a link on the way, the path may lead into a unit that is going.
        for component in try PathCalls.resolved(parentPath).components {
            if FilePath(root: nil, [component]).bytes.starts(with: Self.goingPrefix) {
                throw .noSuchFileOrDirectory
            }
        }
        if name.bytes.starts(with: Self.goingPrefix) { throw .noSuchFileOrDirectory }
    }

    private func open(at parent: Int32) throws(Errno) -> ProbedFile {
        let opened = try name.withEntryName { (entry) throws(Errno) -> Int32 in
            let status = try calls.status(of: entry, at: parent)
            switch status.type {
            case .directory:
                return try calls.openDirectory(entry, at: parent, crossingMounts: true)
            case .regular:
                return try calls.openFile(entry, at: parent, writing: false)
            default:
                throw .invalidArgument
            }
        }
        return ProbedFile(owning: opened)
    }

    private func translated(_ error: Errno) -> HeadroomError {
        switch error {
        // A purger asks at this moment whether the file is open (EWOULDBLOCK), or works there.
        case .resourceBusy, .resourceTemporarilyUnavailable:
            return HeadroomError(
                .busy,
                "\(path.displayText) cannot be leased now: \(holder()). Try again later.",
                cause: error)
        case .invalidArgument, .tooManySymbolicLinkLevels:
            return HeadroomError(
                .invalid,
                "Could not lease \(path.displayText): it is a link or a special file. Lease the "
                    + "regular file or directory that a link leads to.",
                cause: error)
        case .notSupported, .noFunction, .noLocks:
            return HeadroomError(
                .unsupported,
                "Could not lease \(path.displayText): its file system has no locks. Pin it "
                    + "instead: headroom mark --pin",
                cause: error)
        default:
            return HeadroomError("lease", path, error)
        }
    }

    /// Who is in the way, for people.
    private func holder() -> String {
        let locks = LockTable.read()
        for place in [path, parentPath] {
            // Gone meanwhile: then it holds nobody up.
            guard let status = try? PathCalls.status(place) else { continue }
            let entries = locks.entries(of: status.identity)
            if let entry = entries.first(where: { $0.kind == .wholeFile && $0.isExclusive }) {
                return "\(place.displayText) is \(entry.text)"
            }
        }
        return "a purge is at work there"
    }
}
