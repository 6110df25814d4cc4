//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Testing

/// The clauses of the requirements on the defaults: which files are purgeable, and which are kept.
extension Tag {
    // MARK: - R42 The environment is a hint, not a declaration

    /// A directory that `TMPDIR` or `XDG_CACHE_HOME` names becomes an area only in a known location, or if
    /// its name or a tag shows that it is a cache.
    @Tag public static var r42a: Self
    /// No variable makes a project, a repository, a mounted volume or a directory with user content
    /// purgeable, not even in a known location.
    @Tag public static var r42b: Self
    /// If Headroom ignores a variable, a message names the variable and the reason, and says how to declare
    /// the directory.
    @Tag public static var r42c: Self
    /// Root ignores a variable if another user owns the directory that it names or can write to that
    /// directory.
    @Tag public static var r42d: Self
    /// Below a tool's own variable, such as `PIP_CACHE_DIR`, a purge deletes only files that the tool
    /// creates, recognized by their names.
    @Tag public static var r42e: Self
    /// A tool's variable makes no file purgeable in a project, in a repository, beside documents, or in
    /// another tool's directory.
    @Tag public static var r42f: Self
    /// If `~/.cache` is a link, Headroom follows it to a directory of the user, unless the target is a
    /// project, essential or another program's data.
    @Tag public static var r42g: Self

    // MARK: - R43 Recently used is in use

    /// Purges skip temporary items used within an hour and caches used within ten minutes. The same times
    /// apply to empty directories and to directories that were just moved.
    @Tag public static var r43a: Self
    /// An automatic purge skips recently used items even while the volume fills. A manual purge takes them
    /// only with `--min-idle`.
    @Tag public static var r43b: Self
    /// An app configures the idle time of its files. Only a reservation with intent `essential` purges
    /// recently used caches, after all other candidates.
    @Tag public static var r43c: Self
    /// A purge keeps a unit that a process runs from, works in, maps, or names in its arguments or
    /// environment. It also keeps files named after a process.
    @Tag public static var r43d: Self
    /// A purge keeps mount sources of every mount namespace, private `/tmp` directories of services, and
    /// files of display servers and sessions.
    @Tag public static var r43e: Self
    /// A purge keeps paths that lines of tmpfiles.d exclude or create, and an area while a process holds the
    /// area's lock file.
    @Tag public static var r43f: Self
    /// After a clock jump, age rules pause for a day in every command, the message says why, and idle times
    /// are measured without the jump.
    @Tag public static var r43g: Self
    /// A purge never plans Headroom's own records and runtime files, wherever they are.
    @Tag public static var r43h: Self
    /// A purge keeps the paths that the user's settings name, and the targets of links in the home directory
    /// and on the search path.
    @Tag public static var r43i: Self

    // MARK: - R44 Unknown content is purged as a whole directory

    /// An unknown directory in `~/.cache` is one unit, purged whole or not at all by its newest member's
    /// last use, and kept if it has essential content.
    @Tag public static var r44a: Self
    /// A plan never contains a part of a virtual environment, `node_modules`, a database, a package, or a
    /// directory with a `CACHEDIR.TAG`.
    @Tag public static var r44b: Self
    /// A repository is purged whole or not at all. Headroom keeps it if it has work that exists nowhere
    /// else or if others borrow its objects.
    @Tag public static var r44c: Self
    /// Headroom recognizes browser profiles, Wine prefixes, backup repositories and infrastructure state by
    /// shape, at any depth, and keeps them.
    @Tag public static var r44d: Self
    /// The catalog protects content that only looks like a cache, such as drafts, histories, credentials
    /// and uploads not yet sent.
    @Tag public static var r44e: Self
    /// A catalog rule applies to every location that a program can have: native, in Flatpak and in Snap,
    /// with and without version directories.
    @Tag public static var r44f: Self
    /// Model weights and disk images are last resort. The parts of one model are purged together or not at
    /// all.
    @Tag public static var r44g: Self
    /// Headroom never purges a store whose files several models or projects share. It leaves such a store
    /// to the store's own tool.
    @Tag public static var r44h: Self
    /// Documents, pictures, archives, source code, databases, dumps and files of unknown kinds in a temporary
    /// directory are last resort.
    @Tag public static var r44i: Self

    // MARK: - R45 Promises that can be kept

    /// A plan leaves out items that cannot be deleted, such as immutable files or files in unwritable
    /// directories, and names each obstacle.
    @Tag public static var r45a: Self
    /// A plan promises no bytes on a read-only volume and names the volume's state as the obstacle.
    @Tag public static var r45b: Self
    /// A plan leaves out files that free no bytes because of a hard link elsewhere, unless you ask for
    /// them. `explain` says why.
    @Tag public static var r45c: Self
    /// The catalog, `clean` and the Trash show the bytes that deleting would really free, as the plan does.
    @Tag public static var r45d: Self
    /// A message about a failed call names the remedy, such as remounting a read-only volume, and never
    /// advises root to run as root.
    @Tag public static var r45e: Self

    // MARK: - R46 Distinct answers when a path cannot be read

    /// Commands distinguish an absent path, one that the user cannot read, a read-only volume, and a file
    /// system that lacks a feature.
    @Tag public static var r46a: Self
    /// The library and the API have separate error codes for absent, unreadable, read-only and unsupported
    /// paths.
    @Tag public static var r46b: Self
    /// If a volume cannot store a mark, the ledger keeps the mark, and `headroom mark` says so and why.
    @Tag public static var r46c: Self
    /// Headroom lists the Trash of a read-only volume, and says why it can restore, delete or add no item
    /// there.
    @Tag public static var r46d: Self
    /// Headroom says why it cannot use a Trash directory: unreadable, owned by another user, a link, or
    /// without the sticky bit.
    @Tag public static var r46e: Self
}
