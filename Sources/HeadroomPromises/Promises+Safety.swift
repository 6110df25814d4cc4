//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Testing

/// The clauses of the safety promises.
extension Tag {
    // MARK: - S1 Essential items are never planned

    /// No plan contains an essential item, even if the caller asks for all targets and classes. Headroom
    /// rejects a saved plan that contains one.
    @Tag public static var s1a: Self
    /// If an area, or a directory in it, has become essential or was declared differently since planning,
    /// the purge rejects the whole plan.
    @Tag public static var s1b: Self
    /// Headroom moves user files only to Trash, only if the user selects them by name, and only if they are
    /// unchanged since then.
    @Tag public static var s1c: Self
    /// A mark permits purging a file and the file named like its database sidecar only if their contents
    /// show a database. Otherwise it permits neither.
    @Tag public static var s1d: Self
    /// Headroom never purges, marks, encrypts or moves to Trash its own records and keys, wherever they are
    /// stored, even if marks or declarations allow it.
    @Tag public static var s1e: Self

    // MARK: - S2 Nothing outside the area is touched

    /// A purge follows no symbolic link, inside or at the end of a path, whether it opens paths with
    /// openat2, without it, or with POSIX calls alone.
    @Tag public static var s2a: Self
    /// A purge never enters a directory that was replaced by a link or by another directory after planning,
    /// even if this happens during the purge.
    @Tag public static var s2b: Self
    /// A purge rejects a plan if the area's root is a link or is not the planned directory. It never
    /// deletes the root itself.
    @Tag public static var s2c: Self
    /// The command rejects an argument or path variable that isn't valid UTF-8 before it scans any
    /// directory, so it never acts on another file by mistake.
    @Tag public static var s2d: Self

    // MARK: - S3 Mount points are not crossed

    /// A purge never enters a mount inside an area: another volume, a bind mount of the same volume, or a
    /// btrfs subvolume.
    @Tag public static var s3a: Self
    /// If something is mounted over the area's root or a directory in it after planning, the purge doesn't
    /// enter it, even if device and inodes are the same.
    @Tag public static var s3b: Self

    // MARK: - S4 The item is unchanged since the plan

    /// A purge keeps a file if its device, inode, type, size, modification time or status change time
    /// differs from the plan.
    @Tag public static var s4a: Self
    /// Just before it deletes an item, a purge reads the marks of the item and its directories again. It
    /// honors new pins, later classes and unreadable marks.
    @Tag public static var s4b: Self
    /// When a purge deletes one hard link of a file, it still detects changes by other processes. A file
    /// written in between keeps its remaining links.
    @Tag public static var s4c: Self
    /// Before a purge deletes a directory as a whole, it walks the directory again. It keeps the directory
    /// if any member was added, replaced or changed.
    @Tag public static var s4d: Self
    /// A file written right after the scan counts as changed, even in the same clock tick and on file
    /// systems with timestamps as coarse as two seconds.
    @Tag public static var s4e: Self

    // MARK: - S5 Items in use are kept

    /// A purge keeps leased files, and leased directories with everything below, even if the holder is in
    /// another PID namespace or can't be seen.
    @Tag public static var s5a: Self
    /// No lease on a file can begin while the purge deletes it, because the purge locks the file's
    /// directory or the file itself exclusively.
    @Tag public static var s5b: Self
    /// A purge leaves a directory alone, with everything below it, while another process holds an exclusive
    /// lock (LOCK_EX) on it.
    @Tag public static var s5c: Self
    /// A purge keeps the open files, mapped files and working directories of all processes it may see. It
    /// looks for them again at least every second.
    @Tag public static var s5d: Self
    /// Just before it deletes a last-resort file or any file of 64 KiB or more, a purge asks the kernel
    /// whether the file is open, and keeps it if so.
    @Tag public static var s5e: Self
    /// The check for open files kills neither a process that holds an fcntl(2) lease nor Headroom itself.
    @Tag public static var s5f: Self
    /// A purge keeps a file that a process of another user has locked, even if it can't read that process's
    /// open files.
    @Tag public static var s5g: Self
    /// A purge keeps active swap files, even with unusual names, and keeps a directory planned as one unit
    /// if it contains such a file.
    @Tag public static var s5h: Self
    /// On a file system that grants only shared locks, such as some NFS mounts, a purge deletes no file
    /// because it can't check for leases.
    @Tag public static var s5i: Self

    // MARK: - S6 Units are deleted as a whole or not at all

    /// If one member of a directory unit (a directory purged as a whole) must be kept, the plan and the
    /// purge keep the whole unit.
    @Tag public static var s6a: Self
    /// A directory unit that changes before its deletion starts is kept whole. A file created in it during
    /// the deletion is kept, at its old path if that is free.
    @Tag public static var s6b: Self
    /// If a unit can't be renamed for lack of space, quota or permission, the purge tries again at the end.
    /// If that fails too, it keeps the whole unit.
    @Tag public static var s6c: Self
    /// If a purge is killed at any step, no directory unit remains half-deleted under its own name. The
    /// next purge finishes the deletion.
    @Tag public static var s6d: Self
    /// A purge deletes a database's main file first, then its -journal, -wal and -shm files. If the
    /// database is in use, the purge keeps all of them.
    @Tag public static var s6e: Self
    /// A purge changes permissions only on the user's own read-only directories inside a unit, and restores
    /// them on directories that it keeps.
    @Tag public static var s6f: Self

    // MARK: - S7 The receipt covers every deletion

    /// Headroom finds a killed purge at its next start and reports its totals, deleted paths and renamed
    /// directories.
    @Tag public static var s7a: Self
    /// A running purge is never reported as crashed. Headroom reports damaged records and never overwrites
    /// a foreign file that has a record's name.
    @Tag public static var s7b: Self
    /// Scans, plans and totals list a half-deleted directory only as a leftover, never as the items that
    /// remain in it.
    @Tag public static var s7c: Self
    /// A purge stopped by Control-C or SIGTERM ends with a complete receipt that matches the actual
    /// deletions.
    @Tag public static var s7d: Self

    // MARK: - S8 One purge per area at a time

    /// Headroom rejects a purge while another purge of the same, a nested or an enclosing area runs. Purges
    /// of separate areas may run at the same time.
    @Tag public static var s8a: Self
    /// A bind mount counts as the area that it shows: purges through either path exclude each other, also
    /// in nested and enclosing areas.
    @Tag public static var s8b: Self
    /// The error of a rejected purge names the process that holds the lock. The rejected purge releases
    /// every lock that it had acquired.
    @Tag public static var s8c: Self
    /// Headroom never uses a lock file that is a link, not a regular file, or another user's. Without a
    /// usable one, it locks the area's root directory.
    @Tag public static var s8d: Self
    /// By default, root and the owner of an area use the same lock file, so their purges of the area
    /// exclude each other.
    @Tag public static var s8e: Self

    // MARK: - S9 Actual gain is measured

    /// Progress and receipt show the volume's own gain, which is the difference between two readings of its
    /// available space.
    @Tag public static var s9a: Self
    /// After a crash, the receipt still shows the volume's gain up to the last batch that each thread
    /// recorded.
    @Tag public static var s9b: Self
    /// If the volume gains less than expected by more than 1 MiB and 2 %, the receipt says so and gives a
    /// cause or possible causes.
    @Tag public static var s9c: Self
    /// The receipt names each cause: remaining hard links, deleted files that are still open, and, as
    /// possibilities, shared extents and snapshots.
    @Tag public static var s9d: Self

    // MARK: - S10 Circuit breaker

    /// A purge stops when more than half of at least 100 items fail, counted across all its threads.
    @Tag public static var s10a: Self
    /// A purge never deletes more items than planned, or more bytes than planned plus 2 % and 1 MiB, as
    /// measured at deletion and across all threads.
    @Tag public static var s10b: Self
    /// Expected behavior never trips the circuit breaker. For example, it counts the bytes of a file with
    /// several hard links only once.
    @Tag public static var s10c: Self

    // MARK: - S11 Some directories cannot be areas

    /// Headroom rejects /, system, shared, home and role directories (such as Documents) and their
    /// ancestors as areas. The error names the remedy.
    @Tag public static var s11a: Self
    /// A protected directory can't become an area or a Trash through a link, `..`, a bind mount, an
    /// environment variable or a mark.
    @Tag public static var s11b: Self
    /// Headroom rejects directories of other users as areas. Root may specify one for a single run, but
    /// can't register it.
    @Tag public static var s11c: Self
    /// Headroom rejects a mount root as an area, both at declaration and at the purge, unless the
    /// declaration allows it.
    @Tag public static var s11d: Self
    /// The purge itself rejects an area that is or contains an essential directory, or lies in a kernel
    /// directory, without relying on the declaration.
    @Tag public static var s11e: Self
    /// In a shared directory such as /tmp, a purge deletes only entries that the user owns, and keeps
    /// everything in directories of other users.
    @Tag public static var s11f: Self
    /// A protected directory that doesn't respond keeps its last known protection. If it has none, Headroom
    /// keeps every directory that it may lead to.
    @Tag public static var s11g: Self
    /// Essential and pinned directories are kept at every path that leads to them, by link, bind mount or
    /// overlay layer, even one added after planning.
    @Tag public static var s11h: Self
    /// A path declared essential is kept, even if it is a file or link or named as a cache for one run. A
    /// configuration with errors blocks all purges.
    @Tag public static var s11i: Self

    // MARK: - S12 Special files are never opened

    /// Scans, audits and purges never open a FIFO, socket, device or symbolic link, even if it has replaced
    /// a regular file.
    @Tag public static var s12a: Self
    /// A purge keeps FIFOs, sockets and devices, and keeps a directory planned as one unit if it contains
    /// such a file.
    @Tag public static var s12b: Self
    /// A scan counts and lists every file and directory that it can't read.
    @Tag public static var s12c: Self

    // MARK: - S13 Memory is bounded

    /// Each item of an inventory occupies 48 bytes of memory.
    @Tag public static var s13a: Self
    /// Deep trees need no stack space per level in scans, purges and ncdu imports, and only a few open file
    /// descriptors.
    @Tag public static var s13b: Self
    /// The memory of a process that scans, plans and purges grows by at most 200 bytes per item.
    @Tag public static var s13c: Self

    // MARK: - S14 A purge works on a full volume

    /// A purge deletes files and whole directories even if the volume has 0 bytes or 0 inodes available.
    @Tag public static var s14a: Self
    /// The record of a purge needs no free space, even with the ledger on the full volume. A receipt that
    /// doesn't fit waits in the journal.
    @Tag public static var s14b: Self
    /// If Headroom can't write its journal, the purge continues and the receipt says so.
    @Tag public static var s14c: Self
}
