//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
public import SystemPackage

/// How a scan goes.
public struct ScanOptions: Sendable {
    /// Enter other mounts too.
    public var crossesMounts = false
    /// Threads to start with; nil: one per processor. More join while they wait for the disk.
    public var threads: Int?
    /// The time that the scan is said to have happened at.
    public var now: Timestamp
    /// Marks are read from here; nil: no marks are read.
    package var markSource: (any MarkSource)?
    /// Takes an inode's change for its birth if that was later, and keeps files with the sticky bit: as
    /// systemd-tmpfiles sees them.
    package var agesByChange = false
    /// Reads what cache stores hold: their values are planned for, and not their files.
    package var surveysStores = false
    /// Keeps when the inode of a file changed in place of when it was read: for ``GrowthSurvey``, not for
    /// plans.
    public var keepsChanges = false
    /// Finds repositories outside of the scan that borrow objects; nil: none is looked for.
    package var borrowers: BorrowerSearch?
    package var usesPOSIXRoute = false
    /// The system calls to use; nil: the platform's. Tests put some that fail.
    package var calls: (any FileSystemCalls)?
    package var maximumThreads: Int?
    package var descriptorLimit: Int?
    /// The secret of the fingerprints; nil: a new one.
    package var key: FingerprintKey?

    public init(now: Timestamp) {
        self.now = now
    }
}

/// A directory to scan, and what its volume is like.
public struct ScanRoot: Hashable, Sendable {
    public var path: FilePath
    /// Reading a file counts as use: false for volumes mounted noatime.
    public var countsAccess: Bool
    /// What the directories around it hand down to it.
    public var mark: Mark

    public init(path: FilePath, countsAccess: Bool = true, mark: Mark = .none) {
        self.path = path
        self.countsAccess = countsAccess
        self.mark = mark
    }
}

/// The sums of a directory tree, as `du -sx` has them.
public struct ScanTotals: Hashable, Sendable {
    /// Bytes occupied, directories included, each file with several links once.
    public var allocated: ByteCount
    /// The sizes of regular files and symbolic links, each file with several links once.
    public var logical: ByteCount
    /// Names of things that are not directories.
    public var files: Int
    /// Directories, roots included.
    public var directories: Int
    public var errors: Int
    public var vanished: Int
    /// Entries on other file systems, which are not counted.
    public var omitted: Int
    public var failures: [Inventory.Failure]
    public var isComplete: Bool

    package init(
        allocated: ByteCount, logical: ByteCount, files: Int, directories: Int, errors: Int = 0,
        vanished: Int = 0, omitted: Int = 0, failures: [Inventory.Failure] = [],
        isComplete: Bool = true
    ) {
        self.allocated = allocated
        self.logical = logical
        self.files = files
        self.directories = directories
        self.errors = errors
        self.vanished = vanished
        self.omitted = omitted
        self.failures = failures
        self.isComplete = isComplete
    }
}

/// What a running scan has seen, and the way to stop it; from any thread.
public final class ScanProgress: Sendable {
    package let walk = WalkProgress()

    public init() {}

    public var files: Int { walk.files }
    public var directories: Int { walk.directories }
    public var allocated: ByteCount { walk.allocated }
    /// A directory that was being read lately.
    public var currentPath: FilePath? { walk.currentPath }
    public var isCancelled: Bool { walk.isCancelled }

    /// Ends the scan soon; its result says that it is not complete.
    public func cancel() { walk.cancel() }
}

/// Makes an ``Inventory``, or just the totals, of directory trees.
public enum Scanner {
    /// Sums up a tree without keeping anything of it.
    ///
    /// Blocks. Uses memory for pending directories and for files with several links only.
    ///
    /// - Throws: ``HeadroomError`` if the root cannot be opened; what cannot be read below is
    ///   counted and listed instead.
    /// - Complexity: O(entries).
    public static func totals(
        of path: FilePath, options: ScanOptions, progress: ScanProgress = ScanProgress()
    ) throws(HeadroomError) -> ScanTotals {
        let result = try walk(path, options, progress, makeSink: nil)
        let totals = result.totals
        return ScanTotals(
            allocated: ByteCount(totals.allocated), logical: ByteCount(totals.logical),
            files: totals.files, directories: totals.directories, errors: totals.errors,
            vanished: totals.vanished, omitted: totals.omitted,
            failures: result.failures.map(Inventory.Failure.init), isComplete: result.isComplete)
    }

    /// Makes the inventory of one or more trees, none of which lies in another.
    ///
    /// Blocks. A directory belongs to the nearest of `areas` at or above it.
    ///
    /// - Throws: ``HeadroomError`` if a root cannot be opened.
    /// - Complexity: O(entries) time; 48 bytes an entry beside its name, 200 a directory.
    public static func scan(
        _ roots: [ScanRoot], areas: [Area] = [], options: ScanOptions,
        progress: ScanProgress = ScanProgress()
    ) throws(HeadroomError) -> Inventory {
        try scan(roots, areas: areas, options: options, progress: progress) { _ in }
    }

    /// - Parameter afterRoot: called after each root but the last with a way to get the inventory of
    ///   the roots so far. That costs O(entries so far), and holds until the next root is finished.
    static func scan(
        _ roots: [ScanRoot], areas: [Area], options: ScanOptions, progress: ScanProgress,
        afterRoot: (() -> Inventory) -> Void
    ) throws(HeadroomError) -> Inventory {
        let key = options.key ?? .random()
        var assembler = InventoryAssembler()
        let survey = options.surveysStores ? StoreSurvey() : nil
        let databases = DatabaseSurvey(options)
        let structures = StructureSurvey(options)
        func finish(_ assembler: consuming InventoryAssembler) -> Inventory {
            let inventory = structures.complete(
                databases.complete(
                    assembler.finish(areas: areas, scanned: options.now, key: key)))
            return survey?.complete(inventory) ?? inventory
        }
        for (number, root) in roots.enumerated() {
            let assignment = AreaAssignment(root: root.path, areas: areas)
            let firstDirectory = assembler.beginRoot(root)
            let markSource = options.markSource
            let builders = BuilderList()
            let result = try walk(root.path, options, progress) {
                let builder = InventoryBuilder(
                    key: key, assignment: assignment, markSource: markSource,
                    inherited: PackedMark(root.mark), firstDirectory: firstDirectory)
                builder.agesByChange = options.agesByChange
                builder.keepsChanges = options.keepsChanges
                builders.append(builder)
                return builder
            }
            assembler.add(builders.all, result)
            guard number < roots.count - 1, !progress.isCancelled else { continue }
            afterRoot {
                let soFar = assembler
                return finish(soFar)
            }
        }
        return finish(assembler)
    }

    static func walk(
        _ path: FilePath, _ options: ScanOptions, _ progress: ScanProgress,
        makeSink: (@Sendable () -> any WalkSink)?
    ) throws(HeadroomError) -> WalkResult {
        let walkOptions = WalkOptions(options)
        do {
            let root = try Descriptor.openDirectory(path)
            if let calls = options.calls {
                return try Walk.run(
                    calls, root, path, walkOptions, progress.walk, makeSink)
            }
            return try Walk.run(
                root: root, path: path, options: walkOptions, progress: progress.walk,
                makeSink: makeSink)
        } catch .notDirectory where FileStatus.isSymbolicLink(path) {
            throw HeadroomError(
                .refused,
                "\(path.displayText) is a symbolic link. Name the directory that it points to.")
        } catch {
            throw HeadroomError("scan", path, error)
        }
    }
}

/// The builders of a walk, as its workers make them.
///
/// The builders themselves are used when their workers have ended.
final class BuilderList: @unchecked Sendable {  // Guarded by `lock`.
    private let lock = ConditionLock()
    private var builders: [InventoryBuilder] = []

    func append(_ builder: InventoryBuilder) {
        lock.lock()
        builders.append(builder)
        lock.unlock()
    }

    var all: [InventoryBuilder] {
        lock.lock()
        defer { lock.unlock() }
        return builders
    }
}

extension WalkOptions {
    init(_ options: ScanOptions) {
        self.init()
        crossesMounts = options.crossesMounts
        threads = options.threads
        usesPOSIXRoute = options.usesPOSIXRoute
        maximumThreads = options.maximumThreads
        descriptorLimit = options.descriptorLimit
    }
}

extension Inventory.Failure {
    init(_ failure: WalkFailure) {
        self.init(path: failure.path, operation: failure.operation, error: failure.error)
    }
}
