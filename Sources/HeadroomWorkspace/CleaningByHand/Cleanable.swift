//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomInventory
import HeadroomPlanning
public import HeadroomPlatform
public import SystemPackage

/// Something that a person may choose to clean.
public struct Cleanable: Hashable, Sendable, Identifiable {
    /// Tells it from all others: its path, or the id of a module.
    public var id: String
    public var section: CleaningSection
    /// For people.
    public var name: String
    /// Where it is; nil for a module.
    public var path: FilePath?
    /// More about it than its name: its directory, the cost of deleting it.
    public var note: String
    /// The bytes that deleting it frees, or emptying the Trash for items that are moved there; nil if
    /// unknown.
    public var allocated: ByteCount?
    public var fileCount: Int
    public var lastUse: Timestamp?
    public var action: Action
    /// With ``Action/dispose``: the files in ``path`` that are moved; nil: all of it.
    public var files: [FilePath]?

    /// What becomes of it.
    public enum Action: Hashable, Sendable {
        /// All below ``Cleanable/path`` that may go is purged.
        case purge
        /// The files that lie directly in ``Cleanable/path`` are.
        case purgeLooseFiles
        /// It is moved to the trash.
        case dispose
        /// It is in the trash, and goes for good.
        case empty
        /// The module is asked.
        case module
        /// Only its own tool can clean it: nothing that can be chosen.
        case command([String])
    }

    public var isSelectable: Bool {
        if case .command = action { return false }
        return true
    }

    public init(
        id: String, section: CleaningSection, name: String, path: FilePath?, note: String = "",
        allocated: ByteCount?, fileCount: Int, lastUse: Timestamp? = nil, action: Action
    ) {
        self.id = id
        self.section = section
        self.name = name
        self.path = path
        self.note = note
        self.allocated = allocated
        self.fileCount = fileCount
        self.lastUse = lastUse
        self.action = action
    }
}

/// A section as it is known now: it comes at once, empty, and fills in.
public struct CleaningUpdate: Hashable, Sendable {
    public var section: CleaningSection
    /// The largest first.
    public var items: [Cleanable]
    /// Nothing more comes for it.
    public var isComplete: Bool
    /// Why something is missing in it; nil: nothing is known to be.
    public var problem: String?

    public init(
        section: CleaningSection, items: [Cleanable], isComplete: Bool, problem: String? = nil
    ) {
        self.section = section
        self.problem = problem
        self.items = items.sorted { left, right in
            (right.allocated ?? .zero, left.name, left.id)
                < (left.allocated ?? .zero, right.name, right.id)
        }
        self.isComplete = isComplete
    }

    public var allocated: ByteCount { items.reduce(.zero) { $0 + ($1.allocated ?? .zero) } }
}

/// What a person has chosen.
public struct CleaningSelection: Hashable, Sendable {
    public var items: [Cleanable]
    /// Everything that can be made again, last resort included, whatever is listed.
    public var isDeep: Bool

    public init(_ items: [Cleanable]) {
        self.items = items.filter(\.isSelectable)
        isDeep = false
    }

    private init(isDeep: Bool) {
        items = []
        self.isDeep = isDeep
    }

    /// Everything that can be made again, including last resort; no file of a person's own, and not
    /// the trash: what of these is to go with it is added to ``items``.
    public static let deep = CleaningSelection(isDeep: true)

    public var isEmpty: Bool { items.isEmpty && !isDeep }

    /// The ids of the modules in it.
    public var moduleIDs: Set<String> {
        Set(items.filter { $0.action == .module }.map(\.id))
    }

    /// What is moved to the trash.
    public var userFiles: [FilePath] {
        items.filter { $0.action == .dispose }
            .flatMap { $0.files ?? [$0.path].compactMap(\.self) }
    }

    /// Whether something of it goes for good.
    public var purgesAnything: Bool {
        isDeep
            || items.contains { [.purge, .purgeLooseFiles, .empty].contains($0.action) }
    }

    var emptiesTrash: Bool { items.contains { $0.action == .empty } }

    /// What is purged.
    func purged(in scope: Scope) -> ItemSelection {
        if isDeep {
            let trash = Set(scope.areas.filter(\.isTrash).map(\.root))
            return ItemSelection(
                // mutation: r31c-1
                scope.roots.map(\.path).filter { !trash.contains($0) }
                    + items.filter { $0.action == .empty }.compactMap(\.path))
        }
        var selection = ItemSelection(
            items.filter { $0.action == .purge || $0.action == .empty }.compactMap(\.path))
        selection.looseFiles = Set(
            items.filter { $0.action == .purgeLooseFiles }.compactMap(\.path))
        return selection
    }
}

/// What cleaning would really do.
public struct CleaningPreview: Hashable, Sendable {
    /// What the volumes gain now: hard links counted right, and only if all links go.
    public var freesNow: ByteCount
    /// What they gain when the trash is emptied of what goes there.
    public var freesLater: ByteCount
    /// Items that are purged.
    public var purgedItems: Int
    /// Files and directories that are moved to the trash.
    public var disposedItems: Int
    /// What was chosen and stays, with the reason.
    public var kept: [Receipt.Skipped]

    public init(
        freesNow: ByteCount, freesLater: ByteCount, purgedItems: Int, disposedItems: Int,
        kept: [Receipt.Skipped]
    ) {
        self.freesNow = freesNow
        self.freesLater = freesLater
        self.purgedItems = purgedItems
        self.disposedItems = disposedItems
        self.kept = kept
    }
}

/// A module that could not be cleaned, and why.
public struct CleaningFailure: Hashable, Sendable, Identifiable {
    /// The id of the module.
    public var id: String
    /// For people.
    public var name: String
    /// A sentence: the message of its error, or another cause.
    public var message: String

    public init(id: String, name: String, message: String) {
        self.id = id
        self.name = name
        self.message = message
    }
}

/// What cleaning has done.
public struct CleaningResult: Hashable, Sendable {
    /// Of what was purged; nil: nothing was.
    public var purge: Receipt?
    /// Of what was moved to the trash; nil: nothing was. Its id undoes it.
    public var disposal: Receipt?
    /// What the modules have freed, by their own measure.
    public var freedByModules = ByteCount.zero
    /// The modules that threw, hung, or could not be called.
    public var failures: [CleaningFailure] = []
    public var isCancelled = false

    public init() {}

    /// What was freed, trash not counted.
    public var freed: ByteCount { (purge?.expected ?? .zero) + freedByModules }

    /// What is freed when the trash is emptied.
    public var movedToTrash: ByteCount {
        (disposal?.perClass ?? []).reduce(.zero) { $0 + $1.bytes }
    }

    /// Files that were kept although they were chosen.
    public var skipped: [Receipt.Skipped] {
        (purge?.skipped ?? []) + (disposal?.skipped ?? [])
    }
}
