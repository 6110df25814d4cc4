//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform
public import SystemPackage

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

/// Makes an ``Inventory``, or just the totals, of directory trees.
public enum Scanner {
    /// Sums up a tree without keeping anything of it.
    ///
    /// Blocks. Uses memory for pending directories and for files with several links only.
    ///
    /// - Throws: `HeadroomError` if the root cannot be opened; what cannot be read below is
    ///   counted and listed instead.
    /// - Complexity: O(entries).
    public static func totals(
        of path: FilePath, options: ScanOptions, progress: ScanProgress = ScanProgress()
    ) throws(HeadroomError) -> ScanTotals {
        let result = try TreeWalk.run(path, options, progress, makeSink: nil)
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
    /// - Throws: `HeadroomError` if a root cannot be opened.
    /// - Complexity: O(entries) time; 48 bytes an entry beside its name, 200 a directory.
    public static func scan(
        _ roots: [ScanRoot], areas: [Area] = [], options: ScanOptions,
        progress: ScanProgress = ScanProgress()
    ) throws(HeadroomError) -> Inventory {
        try scan(roots, areas: areas, options: options, progress: progress) { _ in }
    }

    /// - Parameter afterRoot: called after each root but the last with a way to get the inventory of
    ///   the roots so far. That costs O(entries so far), and holds until the next root is finished.
    package static func scan(
        _ roots: [ScanRoot], areas: [Area], options: ScanOptions, progress: ScanProgress,
        afterRoot: (() -> Inventory) -> Void
    ) throws(HeadroomError) -> Inventory {
        let key = options.key ?? .random()
        var assembler = InventoryAssembler()
        let survey = options.stores?()
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
            let result = try TreeWalk.run(root.path, options, progress) {
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

extension Inventory.Failure {
    init(_ failure: WalkFailure) {
        self.init(path: failure.path, operation: failure.operation, error: failure.error)
    }
}
