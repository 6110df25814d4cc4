//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore

/// A well-known cache: where it is, what it is, and how it is cleaned.
public struct CatalogueEntry: Hashable, Sendable, Identifiable {
    /// Stable, for programs and the command line: `go-build`.
    public var id: String
    /// For people, as short as in a list: `Go builds`.
    public var name: String
    /// What lies there, as a sentence without its full stop: `Compiled packages and test results`.
    public var summary: String
    /// Where it may be; each that is there counts.
    public var places: [CataloguePlace]
    /// Essential is what lies among caches and is none: it is protected there.
    public var purgeClass: PurgeClass
    /// What in it goes whole.
    public var unit: PurgeUnit
    public var scope: Scope
    public var cleaning: Cleaning
    /// The tool's own command that empties it, a word each, run without a shell; empty: there is none.
    public var command: [String]
    /// What it costs to have it gone, as a sentence.
    public var cost: String
    /// Where its tool documents it.
    public var source: String
    /// 0…100; within a rank the less important goes first.
    public var importance: UInt8
    /// Names that only its tool creates, as patterns relative to the directory. A directory that a tool's own
    /// variable names, or that lies in one, counts only if it contains one of them; other names in it are essential.
    /// Of names that lead up (`../settings.toml`), one must exist as well.
    public var shape: [String] = []
    /// Names as patterns relative to the directory. One of them must exist, wherever the directory is; if
    /// the list is empty, nothing has to.
    public var requires: [String] = []
    /// The tool's lock files: absolute, or relative to the directory.
    public var locks: [String] = []
    /// Essential content of the directory, as patterns relative to it.
    public var protects: [String] = []
    /// Whether Git repositories in it are clones that its tool creates again: they are purgeable unless
    /// somebody worked in them.
    public var holdsClones = false
    /// The file it was read from, for people; nil: it comes with Headroom.
    public var origin: String?

    /// Whose it is.
    public enum Scope: String, Hashable, Sendable, CaseIterable {
        /// A user's, in a home or where a variable says.
        case user
        /// The machine's.
        case system
    }

    /// Who may empty it.
    public enum Cleaning: String, Hashable, Sendable, CaseIterable {
        /// Headroom, file by file or entry by entry; its tool copes with what is missing.
        case files
        /// Headroom may; when a person cleans by hand, the tool's own command does it better.
        case either
        /// The tool alone: it keeps an index, or other things lie there too. Never planned, and
        /// protected in what is purgeable.
        case command
    }

    /// Whether what lies there may be planned and purged; else only the tool itself empties it.
    public var isPurgeable: Bool { cleaning != .command && purgeClass != .essential }

    public init(
        id: String, name: String, summary: String, places: [CataloguePlace],
        purgeClass: PurgeClass = .cache, unit: PurgeUnit = .file, scope: Scope = .user,
        cleaning: Cleaning = .files, command: [String] = [], cost: String, source: String,
        importance: UInt8 = Area.defaultImportance, origin: String? = nil
    ) {
        self.id = id
        self.name = name
        self.summary = summary
        self.places = places
        self.purgeClass = purgeClass
        self.unit = unit
        self.scope = scope
        self.cleaning = cleaning
        self.command = command
        self.cost = cost
        self.source = source
        self.importance = importance
        self.origin = origin
    }
}
