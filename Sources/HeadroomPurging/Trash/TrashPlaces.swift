//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
import HeadroomPlatform
package import SystemPackage

/// Where a user's trash directories are: the home's, and one on each volume.
package struct TrashPlaces: Sendable {
    /// Instead of the mounted volumes: a list of their roots, as in `PATH`. For tests, and for who has
    /// volumes that should not be asked.
    package static let variable = "HEADROOM_TRASH_VOLUMES"

    package let home: FilePath
    /// The home's, by the path that the environment names.
    package let named: FilePath
    private let volumes: Volumes
    let user: UInt32
    let calls: any FileSystemCalls
    /// How long a volume may take to answer.
    private let limit: Duration

    private enum Volumes: Sendable {
        case mounted
        case these([FilePath])
    }

    /// - Parameters:
    ///   - environment: `XDG_DATA_HOME` and the variable above are looked at.
    ///   - home: who works in another home than the account's (as another user, in a test) means the
    ///     trash of that alone, and not that of all volumes.
    package init(
        environment: [String: String], home: FilePath, user: UInt32 = User.effective,
        limit: Duration = .seconds(2)
    ) {
        let data = environment["XDG_DATA_HOME"].map { FilePath($0) }
        let base = data.flatMap { $0.isAbsolute ? $0 : nil } ?? home.appending(".local/share")
        named = base.appending("Trash")
        self.home = base.settled.appending("Trash")
        self.user = user
        self.limit = limit
        calls = NativeCalls.make()
        if let named = environment[Self.variable] {
            volumes = .these(
                named.split(separator: ":").map { FilePath(String($0)) }.filter(\.isAbsolute))
        } else if UserAccount.current()?.home.settled == home.settled {
            volumes = .mounted
        } else {
            volumes = .these([])
        }
    }

    // MARK: - Finding

    /// What was found, and what could not be asked.
    package struct Found {
        package var trashes: [OpenTrash] = []
        package var notes: [Reason] = []
    }

    /// Opens all trash directories that there are. Blocks, for each volume no longer than its limit.
    package func find() -> Found {
        var found = Found()
        var seen: Set<FileIdentity> = []
        func add(_ trash: OpenTrash) {
            if seen.insert(trash.status.identity).inserted { found.trashes.append(trash) }
        }
        do throws(TrashRefusal) {
            add(try openHome(making: false))
        } catch {
            if let note = error.note(on: home, user: user) { found.notes.append(note) }
        }
        for (point, call) in askVolumes() {
            switch call {
            case .unanswered:
                found.notes.append(
                    Reason(
                        .volumeSilent,
                        "The volume \(point.displayText) did not answer in time: its trash was left "
                            + "out."))
            case .opened(let opened):
                for trash in opened.trashes { add(trash) }
                found.notes += opened.notes
            }
        }
        return found
    }

    private enum Answer {
        case unanswered
        case opened(Opened)
    }

    /// Brings what one thread has opened to another.
    private final class Opened: @unchecked Sendable {  // Only its waiter uses it.
        var trashes: [OpenTrash] = []
        var notes: [Reason] = []
    }

    private static let hanging = Hanging<FilePath>()

    private func askVolumes() -> [(FilePath, Answer)] {
        var calls: [(FilePath, Hanging<FilePath>.Call<Opened>?)] = []
        for point in volumePoints() {
            // All are asked at once. Where no thread can be had the volume counts as silent.
            let call = try? Self.hanging.start(point) { openVolume(point) }
            calls.append((point, call ?? nil))
        }
        let deadline = ContinuousClock.now.advanced(by: limit)
        return calls.map { point, call in
            guard let opened = call?.wait(until: deadline) else { return (point, .unanswered) }
            return (point, .opened(opened))
        }
    }

    /// The roots of the volumes whose trash directories are looked for.
    package var volumeRoots: [FilePath] { volumePoints() }

    private func volumePoints() -> [FilePath] {
        switch volumes {
        case .these(let points): return points
        case .mounted:
            // Without a mount table there is the home's trash alone.
            guard let table = try? MountTable.current() else { return [] }
            let mounts = table.mounts.filter { !$0.isPseudo }
            // Of two mounts of one directory the writable one counts.
            return mounts.filter { !$0.isReadOnly }.map(\.point)
                + mounts.filter(\.isReadOnly).map(\.point)
        }
    }

    private func openVolume(_ point: FilePath) -> Opened {
        let opened = Opened()
        // A user who cannot open the root of a volume has no trash there.
        guard let top = try? DirectoryCreation.existing(point) else { return opened }
        let (shared, own) = Self.names(user)
        do throws(TrashRefusal) {
            opened.trashes.append(try openShared(top, point, making: false))
        } catch {
            let path = point.appending(shared)
            if let note = error.note(on: path, user: user) { opened.notes.append(note) }
        }
        do throws(TrashRefusal) {
            opened.trashes.append(try openOwn(top, point, making: false))
        } catch {
            let path = point.appending(own)
            if let note = error.note(on: path, user: user) { opened.notes.append(note) }
        }
        return opened
    }

    private static func names(_ user: UInt32) -> (shared: String, own: String) {
        (".Trash/\(user)", ".Trash-\(user)")
    }

    // MARK: - Opening

    func openHome(making: Bool) throws(TrashRefusal) -> OpenTrash {
        let trash = try TrashRefusal.translating { () throws(Errno) in
            making ? try DirectoryCreation.open(home) : try DirectoryCreation.existing(home)
        }
        return try OpenTrash(
            TrashDirectory(path: home, volume: nil), trash: trash, making: making, user: user, calls
        )
    }

    /// `.Trash/UID` at the root of a volume, where an administrator has made `.Trash`: a directory
    /// that is no link and has the sticky bit, or else it does not count.
    func openShared(
        _ top: borrowing Descriptor, _ point: FilePath, making: Bool
    ) throws(TrashRefusal) -> OpenTrash {
        let shared = try open(".Trash", at: top)
        let isSticky: Bool
        do throws(Errno) {
            // mutation: r33d-2
            isSticky = try calls.status(of: shared.rawValue).permissions & 0o1000 != 0
            if isSticky, making, let name = FileName("\(user)") {
                try Relocation.makeDirectory(name, at: shared.rawValue)
            }
        } catch {
            throw TrashRefusal(error)
        }
        let trash = try open("\(user)", at: shared)
        guard isSticky else { throw .notSticky }
        return try OpenTrash(
            TrashDirectory(path: point.appending(Self.names(user).shared), volume: point),
            trash: trash, making: making, user: user, calls)
    }

    /// `.Trash-UID` at the root of a volume.
    func openOwn(
        _ top: borrowing Descriptor, _ point: FilePath, making: Bool
    ) throws(TrashRefusal) -> OpenTrash {
        let text = Self.names(user).own
        if making, let name = FileName(text) {
            do throws(Errno) {
                try Relocation.makeDirectory(name, at: top.rawValue)
            } catch {
                throw TrashRefusal(error)
            }
        }
        let trash = try open(text, at: top)
        return try OpenTrash(
            TrashDirectory(path: point.appending(text), volume: point), trash: trash,
            making: making, user: user, calls)
    }

    private func open(
        _ text: String, at parent: borrowing Descriptor
    ) throws(TrashRefusal) -> Descriptor {
        guard let name = FileName(text) else { throw .failed(.invalidArgument) }
        let descriptor = parent.rawValue
        do throws(Errno) {
            return Descriptor(
                owning: try name.withEntryName { (entry) throws(Errno) in
                    try calls.openDirectory(entry, at: descriptor, crossingMounts: false)
                })
        } catch {
            throw TrashRefusal(error)
        }
    }
}
