//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlanning
import HeadroomPlatform
import HeadroomPurging
import HeadroomWorkspace
import Synchronization
import SystemPackage

/// What all copies of a ``Storage`` share.
final class StorageCore: Sendable {
    let places: StoragePlaces
    let owner: Owner
    let calls: any FileSystemCalls & AttributeCalls
    let protectionClasses: any ProtectionClassKeeping
    let clock: @Sendable () -> Timestamp
    /// What other processes have reserved.
    let watch: ReservationWatch
    let modules = ModuleRegistry()
    let cleanUpActions = CleanUpTaskRegistry()
    let pressure: PressureMonitor
    /// Whether the container is that of the running program, on the system that it runs on.
    let isOwnContainer: Bool
    /// How long items have to be unused before they are purged.
    let minIdle: MinIdle
    let ledgerDirectory: FilePath
    /// Where what a person throws away goes.
    let trash: TrashPlaces
    /// Called when a save has reached a step; for tests that end the process there.
    let step: (@Sendable (SaveStep) -> Void)?
    private let sampleClocks: (@Sendable () -> ClockSample)?
    private let opened = Mutex<Workspace?>(nil)
    private let madeCleaner = Mutex<Cleaner?>(nil)
    private let isLastResortMarked = Atomic<Bool>(false)
    private let isCacheMarked = Atomic<Bool>(false)
    /// The directories of the classes as saving needs them, made once.
    private let prefixes: [Prefix]
    private let prepared = Atomic<UInt8>(0)
    private let replaces = Atomic<Bool>(false)
    /// By class: how files have to be protected where something was last saved.
    let knownProtections = Mutex<[ContentClass: KnownProtection]>([:])
    /// In the order of ``index(_:)``.
    private let shortWays = Mutex<[ShortWay]>(Array(repeating: .unknown, count: classes.count))

    init(
        _ places: StoragePlaces, _ owner: Owner, trash: TrashPlaces? = nil,
        ledgerDirectory: FilePath? = nil,
        isOwnContainer: Bool = false,
        minIdle: MinIdle = .none,
        clock: @escaping @Sendable () -> Timestamp = { Timestamp.wallClock() },
        sampleClocks: (@Sendable () -> ClockSample)? = nil,
        protectionClasses: any ProtectionClassKeeping = SystemProtectionClasses(),
        step: (@Sendable (SaveStep) -> Void)? = nil
    ) {
        self.protectionClasses = protectionClasses
        self.step = step
        self.sampleClocks = sampleClocks
        self.places = places
        self.owner = owner
        // Nobody said whose: then it is that of the home or container alone.
        self.trash = trash ?? TrashPlaces(environment: [:], home: places.root)
        let directory =
            ledgerDirectory ?? Ledger.defaultDirectory ?? places.appData.appending("Headroom")
        self.ledgerDirectory = directory
        self.isOwnContainer = isOwnContainer
        self.minIdle = minIdle
        watch = ReservationWatch(ReservationTable(directory: directory))
        let directories = Self.classes.map { places.directory(for: $0) }
        pressure = PressureMonitor(of: directories.map { PressureMonitor.Place($0) })
        prefixes = directories.map { Prefix($0, in: places.root) }
        self.clock = clock
        calls = NativeCalls.make()
    }

    /// The ledger and the areas; opened when first needed. Blocks.
    var workspace: Workspace {
        opened.withLock { opened in
            if let opened { return opened }
            let ledger = Ledger.open(directory: ledgerDirectory, readOnly: false, now: clock)
            let workspace = Workspace(
                ledger: ledger, layouts: [places.layout], limits: places.own,
                interrupted: ledger.recoverInterrupted(), trash: trash, minIdle: minIdle,
                clock: clock, sampleClocks: sampleClocks)
            if let container = places.movableContainer {
                // Unmoved, they are registered anew by the app, and the old ones are of no harm.
                try? workspace.moveRegistrations(of: owner.text, to: container)
            }
            opened = workspace
            return workspace
        }
    }

    /// Cleaning by hand, in this app's own places.
    var cleaner: Cleaner {
        madeCleaner.withLock { made in
            if let made { return made }
            var cleaned = Cleaner.Places(
                userFiles: [places.documents],
                downloads: [
                    places.caches.appending("Downloads"), places.appData.appending("Downloads"),
                ], collections: [places.appData], limits: disposable)
            cleaned.hasTrash = Self.hasTrash
            let cleaner = Cleaner(workspace, places: cleaned, systemTrash: Self.systemTrash)
            made = cleaner
            return cleaner
        }
    }

    /// What is reserved on a volume and not yet written; zero if that cannot be found out.
    func reserved(on volume: Volume) -> ByteCount {
        guard let figures = volume.figures else { return .zero }
        return (try? workspace.reservations.reserved(on: figures.fileSystemID)) ?? .zero
    }

    /// The volume of a path, or of the nearest directory around it, asked now.
    func volume(of path: FilePath) throws(StorageError) -> Volume {
        do {
            return try Volume.containing(path)
        } catch {
            throw StorageError(HeadroomError("ask the volume of", path, error))
        }
    }

    /// Room for things of a class.
    func room(for content: ContentClass, _ intent: Intent) -> RoomRequest {
        room(at: places.directory(for: content), intent)
    }

    /// Room in a directory.
    func room(at place: FilePath, _ intent: Intent) -> RoomRequest {
        var request = RoomRequest(
            workspace: workspace, place: place, intent: intent, requester: owner.text)
        // All areas here are the app's own.
        request.mayPurgeRecentCaches = true
        return request
    }

    // MARK: - Directories

    /// Opens the directory that things of a class go to, making it with mode 0700 if it is missing.
    func open(_ content: ContentClass) throws(Errno) -> Descriptor {
        let path = places.directory(for: content)
        let descriptor = try openDirectory(path, of: content)
        switch content {
        case .temporary where places.sharesTemporary: try checkTemporary(descriptor)
        case .lastResort:
            mark(
                // mutation: r3e-1
                path, Mark(purgeClass: .lastResort, isExcludedFromBackup: true),
                once: isLastResortMarked)
        case .cache where places.tellsBackupsOfCaches:
            mark(path, Mark(isExcludedFromBackup: true), once: isCacheMarked)
        case .essential, .cache, .temporary: break
        }
        setPrepared(content, true)
        return descriptor
    }

    private func openDirectory(
        _ path: FilePath, of content: ContentClass
    ) throws(Errno) -> Descriptor {
        do throws(Errno) {
            return try DirectoryCreation.existing(path)
        } catch .noSuchFileOrDirectory {
            // What is known is of one that is gone.
            setPrepared(content, false)
            return try DirectoryCreation.open(path)
        }
    }

    /// The path of the directory that things of a class go to, with a slash at its end.
    func prefix(of content: ContentClass) -> Prefix {
        prefixes[Self.index(content)]
    }

    /// A class's directory as bytes and text, with a slash at the end.
    struct Prefix: Sendable {
        let bytes: [UInt8]
        let text: String
        /// The length of the part that is the home or container, in bytes; that of `bytes` if the
        /// directory is elsewhere.
        let rootLength: Int

        init(_ directory: FilePath, in root: FilePath) {
            bytes = directory.bytes + [UInt8(ascii: "/")]
            text = "\(directory.string)/"
            rootLength = directory.lies(in: root) ? root.length + 1 : bytes.count
        }
    }

    /// Whether the directory of a class was there, and as it has to be, when it was last opened.
    func isPrepared(_ content: ContentClass) -> Bool {
        prepared.load(ordering: .relaxed) & Self.bit(content) != 0
    }

    func setPrepared(_ content: ContentClass, _ isPrepared: Bool) {
        if isPrepared {
            prepared.bitwiseOr(Self.bit(content), ordering: .relaxed)
        } else {
            prepared.bitwiseAnd(~Self.bit(content), ordering: .relaxed)
            shortWays.withLock { $0[Self.index(content)] = .unknown }
            // A directory that is made anew bears no mark.
            switch content {
            // mutation: r12d-2
            case .lastResort: isLastResortMarked.store(false, ordering: .relaxed)
            case .cache: isCacheMarked.store(false, ordering: .relaxed)
            case .essential, .temporary: break
            }
        }
    }

    /// The mount of a class's directory, if names below it may be opened by their paths.
    func mount(of content: ContentClass) -> MountPlace? {
        let way = shortWays.withLock { $0[Self.index(content)] }
        guard case .open(let place) = way else { return nil }
        return place
    }

    /// Whether something that is open is on a mount.
    func isOn(_ mount: MountPlace, _ descriptor: Int32) throws(Errno) -> Bool {
        MountPlace(try calls.status(of: descriptor)) == mount
    }

    /// Opens the short way, if nothing is known of it: a name was just reached by the long one.
    ///
    /// - Parameter directory: that of the class.
    func learnMount(of content: ContentClass, _ directory: Int32) {
        guard shortWays.withLock({ $0[Self.index(content)] == .unknown }),
            // What cannot be asked now is asked the next time.
            let status = try? calls.status(of: directory)
        else { return }
        let way = MountPlace(status).map { ShortWay.open($0) } ?? .closed
        shortWays.withLock { $0[Self.index(content)] = way }
    }

    /// Closes the short way, unless the class's directory turned out to be on another mount meanwhile.
    func closeShortWay(of content: ContentClass, on place: MountPlace) {
        shortWays.withLock { ways in
            guard ways[Self.index(content)] == .open(place) else { return }
            ways[Self.index(content)] = .closed
        }
    }

    /// Whether the last save replaced a file: the next is likely to do the same.
    var expectsReplacing: Bool { replaces.load(ordering: .relaxed) }

    func setExpectsReplacing(_ isReplacing: Bool) {
        replaces.store(isReplacing, ordering: .relaxed)
    }

    private static func bit(_ content: ContentClass) -> UInt8 {
        // Somebody else may have put another in its place: it is looked at each time.
        content == .temporary ? 0 : 1 << index(content)
    }

    /// In the order of ``index(_:)``.
    private static let classes: [ContentClass] = [
        .essential(.userContent), .essential(.appData), .lastResort, .cache, .temporary,
    ]

    private static func index(_ content: ContentClass) -> Int {
        switch content {
        case .essential(.userContent): 0
        case .essential(.appData): 1
        case .lastResort: 2
        case .cache: 3
        case .temporary: 4
        }
    }

    /// In a directory that all may write to, somebody else may have made ours.
    private func checkTemporary(_ descriptor: borrowing Descriptor) throws(Errno) {
        let status = try calls.status(of: descriptor.rawValue)
        guard status.owner == User.effective, status.permissions & 0o077 == 0 else {
            throw .notPermitted
        }
    }

    /// The area says it to us; the mark says it to every other program that reads marks, and to
    /// backups.
    private func mark(_ path: FilePath, _ wanted: Mark, once isMarked: borrowing Atomic<Bool>) {
        guard !isMarked.load(ordering: .relaxed) else { return }
        // Without it the area still holds; the next start tries again.
        let isTold = (try? CacheDirectoryTag.read(at: path))?.isEmpty == false
        if !isTold || (try? workspace.marks.mark(of: path)) != wanted {
            _ = try? workspace.marks.update(path) { $0 = wanted.inheriting($0) }
        }
        isMarked.store(true, ordering: .relaxed)
    }
}
