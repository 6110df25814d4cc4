//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Testing

/// The clauses of the requirements on the library.
extension Tag {
    // MARK: - R1 Layouts

    /// Headroom honors XDG variables that are absolute paths, and ignores any that would make a home or its
    /// documents purgeable.
    @Tag public static var r1a: Self
    /// Headroom creates missing standard directories with mode 0700, and Application Support on first use.
    @Tag public static var r1b: Self
    /// Headroom recognizes a copied app container by its Documents, Library and tmp directories, and a
    /// group container by its metadata or an option.
    @Tag public static var r1c: Self
    /// Headroom never treats a user's home as an app container, even if it contains the same directories.
    @Tag public static var r1d: Self
    /// A directory that is registered inside a container remains registered when the container moves.
    @Tag public static var r1e: Self

    // MARK: - R2 Roles

    /// Each path in an app container has the role, class and backup state that its layout defines. Only
    /// caches and temporary files are planned.
    @Tag public static var r2a: Self
    /// A directory declared or marked inside an essential directory has its own class. The nearest
    /// declaration wins.
    @Tag public static var r2b: Self
    /// Headroom rejects role roots, Preferences, the Inbox and the app bundle as areas, and rejects class
    /// marks on role roots.
    @Tag public static var r2c: Self

    // MARK: - R3 Save by class

    /// Headroom saves each class in its standard directory. Application data, last-resort files and caches
    /// are in subdirectories named after the owner.
    @Tag public static var r3a: Self
    /// A file name can't lead a save out of its class directory through `..`, a link or a mount, or into a
    /// directory of another class or role.
    @Tag public static var r3b: Self
    /// After a save fails or is killed, the file is complete, with either its old or its new content. A
    /// later launch deletes partial files.
    @Tag public static var r3c: Self
    /// When a save replaces a file, the new file has the marks and permissions of the old one.
    @Tag public static var r3d: Self
    /// Headroom excludes last-resort files from backups, in the formats that backup programs read.
    @Tag public static var r3e: Self
    /// Headroom deletes a temporary file at the end of its scope, even after an error. At the next launch,
    /// it deletes orphans of dead processes.
    @Tag public static var r3f: Self

    // MARK: - R4 Conventions lint

    /// The lint reports directory names that aren't PascalCase, and more than one app directory directly in
    /// Library, Caches or Documents.
    @Tag public static var r4a: Self
    /// The lint reports handwritten files in Preferences and files that the app created in the Inbox.
    @Tag public static var r4b: Self
    /// The lint reports re-creatable data in Documents or, if backed up, in Application Support, and caches
    /// at the root of a group container.
    @Tag public static var r4c: Self
    /// Each finding has a fix that removes it without overwriting any file. Outside Apple containers, the
    /// lint has no findings.
    @Tag public static var r4d: Self

    // MARK: - R5 Capacity figures

    /// The capacity figures of a path are those of its volume, even if the path doesn't exist yet.
    @Tag public static var r5a: Self
    /// The figure for important usage adds purgeable bytes, the one for opportunistic usage subtracts the
    /// warning reserve, and neither exceeds the total.
    @Tag public static var r5b: Self
    /// Each figure names its source. A figure that can't be read is unknown, never 0.
    @Tag public static var r5c: Self
    /// Available space excludes reserved bytes and never exceeds the remainder of a quota.
    @Tag public static var r5d: Self
    /// Headroom reads the capacity figures again at every call.
    @Tag public static var r5e: Self
    /// Headroom reads user and project quotas from the file system. A project quota limits only the
    /// directories of that project.
    @Tag public static var r5f: Self
    /// On Apple platforms, Headroom uses the system's figures. Zero or missing falls back to available, and
    /// opportunistic never exceeds important.
    @Tag public static var r5g: Self
    /// Reading figures, asking for advice and reserving space never block the main actor.
    @Tag public static var r5h: Self

    // MARK: - R6 Advice before writing

    /// Advice says whether the bytes fit, fit after freeing N, or don't fit, and names the directory. It
    /// follows from the intent and deletes no file.
    @Tag public static var r6a: Self
    /// Advice always lets an essential write proceed, however little space is available.
    @Tag public static var r6b: Self
    /// If the caller allows demotion, advice for replaceable content that doesn't fit proposes the next
    /// lower class that does fit.
    @Tag public static var r6c: Self

    // MARK: - R7 Reserve space

    /// If the plan can't reach the goal, the reservation fails before it deletes any file.
    @Tag public static var r7a: Self
    /// A reservation purges only as much as is missing, in purge order, from classes that its intent allows
    /// and, in an app, only from the app's own files.
    @Tag public static var r7b: Self
    /// Reserved bytes belong to one process until it uses or releases them or dies. Two processes that
    /// share a ledger never get the same bytes.
    @Tag public static var r7c: Self
    /// A reservation with a destination preallocates its blocks, so programs that don't share the ledger
    /// can't use them.
    @Tag public static var r7d: Self
    /// If an item is in use, the reservation keeps it and purges another item in its place.
    @Tag public static var r7e: Self
    /// If the volume gains less than planned, the reservation throws an error with the receipt attached,
    /// and doesn't keep purging in vain.
    @Tag public static var r7f: Self
    /// A caller can ask to free as much as possible. The reservation then purges even if the goal is out of
    /// reach, and throws an error with the receipt.
    @Tag public static var r7g: Self

    // MARK: - R8 Sizes

    /// Allocated sizes equal those of `du`, on each tested file system and with any number of threads.
    @Tag public static var r8a: Self
    /// The library returns the allocated and apparent size of a file or directory. It counts hard links
    /// once and holes as unallocated.
    @Tag public static var r8b: Self
    /// Deleting a file frees its bytes only if all its hard links are deleted, in plans and in receipts.
    @Tag public static var r8c: Self
    /// On request, Headroom reports how many bytes of a file or directory are exclusive, shared with
    /// clones, or unknown because they can't be read.
    @Tag public static var r8d: Self

    // MARK: - R9 Marks

    /// Each part of a mark (class, pin, importance) comes from the nearest file or directory that sets it.
    @Tag public static var r9a: Self
    /// Headroom never purges a pinned file, even if it was pinned after planning or if a save replaced it
    /// and lost the mark.
    @Tag public static var r9b: Self
    /// Where a file system has no extended attributes, the ledger stores the marks. If it has no birth
    /// times either, only marks that protect apply.
    @Tag public static var r9c: Self
    /// A new file at an old path never inherits a class that permits deleting it. Headroom only reports
    /// that lost class, but restores a lost pin.
    @Tag public static var r9d: Self
    /// A mark that can't be read protects like a pin, both in the plan and at deletion.
    @Tag public static var r9e: Self
    /// After a ledger is lost, Headroom keeps for a day all content that only its marks, registrations or
    /// use records protected.
    @Tag public static var r9f: Self
    /// On Apple platforms, Headroom shows whether the system may purge a file, separately from Headroom's
    /// own marks.
    @Tag public static var r9g: Self
    /// If marking a file or registering a directory fails or is interrupted, Headroom may delete no more
    /// than it could before.
    @Tag public static var r9h: Self

    // MARK: - R10 Last resort

    /// Headroom purges last-resort items after all caches, and only if the caller allows that class.
    @Tag public static var r10a: Self
    /// `explain` shows a last-resort file's position in the purge order and how many bytes are purged
    /// before it.
    @Tag public static var r10b: Self

    // MARK: - R11 Backup exclusion

    /// The backup exclusion of a path is its own flag, inherited, by location, or none.
    @Tag public static var r11a: Self
    /// Headroom sets the exclusion formats of backup tools. Tools such as borg and tar follow them and,
    /// once the exclusion is cleared, back up all files.
    @Tag public static var r11b: Self
    /// Exclude lists for restic, borg, tar and rsync make the tool skip exactly the excluded files. All
    /// other files are restored byte for byte.
    @Tag public static var r11c: Self
    /// Headroom removes only backup tags that it wrote itself, and never puts one on a role root.
    @Tag public static var r11d: Self
    /// On Apple platforms, Headroom sets, reads and removes the system's own exclusion value, and keeps it
    /// when a file is replaced.
    @Tag public static var r11e: Self

    // MARK: - R12 Backup audit

    /// In an app container, the audit counts Documents and Library without caches as backed up, to the
    /// byte. Elsewhere, it counts all files not excluded.
    @Tag public static var r12a: Self
    /// The audit reports re-creatable content that is backed up. It never counts databases, purchase
    /// receipts or documents as re-creatable.
    @Tag public static var r12b: Self
    /// The audit warns about user content that is excluded from backup. Its fix clears only the exclusion
    /// and is never applied automatically.
    @Tag public static var r12c: Self
    /// The audit reports lost marks. It restores only marks that protect.
    @Tag public static var r12d: Self
    /// An audit changes no file. If you ask for fixes, it applies only the safe ones.
    @Tag public static var r12e: Self
    /// By default, the audit reports re-creatable content over 10 MB each or 100 MB in all, and files over
    /// 10 MB that together exceed 100 MB.
    @Tag public static var r12f: Self

    // MARK: - R13 Large and old files

    /// Headroom lists the largest files of each kind by allocated size.
    @Tag public static var r13a: Self
    /// Headroom determines a file's kind by its content, not only by its name.
    @Tag public static var r13b: Self
    /// Reading a file to determine its kind doesn't count as use of the file.
    @Tag public static var r13c: Self
    /// Creating a file counts as use, so a file that was just unpacked is not old, even if its modification
    /// time is.
    @Tag public static var r13d: Self
    /// If you ask for old files, the list contains only files that have been unused for that long.
    @Tag public static var r13e: Self

    // MARK: - R14 Inventory

    /// A scan finds the same items with any number of threads and through each set of system calls.
    @Tag public static var r14a: Self
    /// A scan follows no symbolic link, rejects a root that is one, and crosses mounts only on request.
    @Tag public static var r14b: Self
    /// A scan handles names with any bytes, trees 3,000 levels deep, and directories that change or vanish
    /// during the scan.
    @Tag public static var r14c: Self
    /// A scan counts and lists every error and continues. A file that vanishes during the scan is not an
    /// error.
    @Tag public static var r14d: Self
    /// A scan doesn't change the last use of any file or directory that it reads.
    @Tag public static var r14e: Self
    /// After any changes, an inventory that is kept up to date equals a new scan.
    @Tag public static var r14f: Self
    /// A scan is at least as fast as the fastest tool of its kind: it makes one system call per file.
    @Tag public static var r14g: Self
    /// Headroom never opens cloud files that aren't on the disk and counts them as 0 bytes. Cloud
    /// containers are essential, even if marked otherwise.
    @Tag public static var r14h: Self

    // MARK: - R15 Plan

    /// The purge order is class, then expired, over limit, importance, last use and size. Trash items have
    /// ranks of their own between the classes.
    @Tag public static var r15a: Self
    /// No plan contains Trash items younger than a day, for any target.
    @Tag public static var r15b: Self
    /// An area can order its items by creation time, oldest first, even if an older item was used more
    /// recently.
    @Tag public static var r15c: Self
    /// A database with its sidecars is one item, and so is a directory purged as a unit. A unit's last use
    /// is that of its newest member.
    @Tag public static var r15d: Self
    /// The same tree gives the same plan, with any number of threads.
    @Tag public static var r15e: Self

    // MARK: - R16 Targets

    /// A plan reaches each kind of target (bytes, share, pressure level, limit, age, inodes) with no more
    /// items than needed.
    @Tag public static var r16a: Self
    /// If you specify several targets, the plan meets all of them.
    @Tag public static var r16b: Self
    /// If a plan can't reach its target, the command prints the missing amount and exits with 3. If
    /// directories can't be read, it exits with 4.
    @Tag public static var r16c: Self
    /// A manual purge includes last-resort items, and Trash items older than a day, only with `--through
    /// last-resort`.
    @Tag public static var r16d: Self

    // MARK: - R17 Purge

    /// A purge reports its progress while it runs. Its final figures equal the actual deletions.
    @Tag public static var r17a: Self
    /// A canceled purge stops between two items, within a tenth of a second, and ends with a receipt.
    @Tag public static var r17b: Self
    /// A saved plan is read back unchanged. Headroom rejects one that was truncated or altered, or that
    /// another user owns or may write.
    @Tag public static var r17c: Self
    /// You can execute a saved plan later. The purge skips items that have changed since.
    @Tag public static var r17d: Self
    /// You can compare two saved plans with `plan --diff`.
    @Tag public static var r17e: Self

    // MARK: - R18 Explain

    /// `explain` shows an item's class and its source, its position in the purge order, and when it would
    /// be purged.
    @Tag public static var r18a: Self
    /// `explain` gives the exact reason why an item is never purged.
    @Tag public static var r18b: Self
    /// `explain` shows which files are purged together with an item, and how many bytes deleting it would
    /// really free.
    @Tag public static var r18c: Self
    /// `explain` shows how the last use is known (read, created or modified) and whether the item is
    /// leased.
    @Tag public static var r18d: Self
    /// `explain` shows whether the path is excluded from backup.
    @Tag public static var r18e: Self
    /// `explain` shows the protection level of a file, even without its key.
    @Tag public static var r18f: Self

    // MARK: - R19 Purgeable directories

    /// Headroom creates a purgeable directory, creates it again if the system deleted it, and keeps its
    /// registration across launches.
    @Tag public static var r19a: Self
    /// Headroom purges items older than the directory's retention. Items with manual retention never
    /// expire.
    @Tag public static var r19b: Self
    /// When a directory reaches its limit, Headroom purges the oldest items until half of the limit is
    /// used.
    @Tag public static var r19c: Self
    /// Headroom rejects role roots, overlaps, links and paths outside the app's directories as purgeable
    /// directories, and creates no directory for them.
    @Tag public static var r19d: Self
    /// A reset empties one or all purgeable directories and keeps their registrations.
    @Tag public static var r19e: Self
    /// Retention pauses while the wall clock and the monotonic clock disagree.
    @Tag public static var r19f: Self
    /// Where a file system has no birth times, an item's creation time is the time when Headroom first saw
    /// it.
    @Tag public static var r19g: Self
    /// The daemon also checks purgeable directories on its schedule. In `observe` mode, it deletes no file.
    @Tag public static var r19h: Self

    // MARK: - R20 Cache store

    /// A cache store returns each value as it was stored, as data, file or stream and with its attributes,
    /// until its lifetime ends.
    @Tag public static var r20a: Self
    /// A cache store never exceeds its byte limit or its entry limit, and evicts no more than it needs to.
    @Tag public static var r20b: Self
    /// Several processes can use one cache store at once. None of them reads a wrong or outdated value, and
    /// all share one limit.
    @Tag public static var r20c: Self
    /// If a process is killed, the cache store loses at most the values that the process was writing.
    @Tag public static var r20d: Self
    /// A damaged byte costs only the value that contains it. All other values remain readable.
    @Tag public static var r20e: Self
    /// Pinned values are never evicted, and open values remain readable. A pin mark on any of the store's
    /// files keeps the whole store.
    @Tag public static var r20f: Self
    /// Under disk pressure, a cache store evicts only as much as the volume lacks. Purge plans treat its
    /// values like other items.
    @Tag public static var r20g: Self
    /// A cache store counts hits, misses and evictions. The counts survive the processes that use it.
    @Tag public static var r20h: Self
    /// Opening a cache store reads only the index, and makes no more system calls when the store has more
    /// entries.
    @Tag public static var r20i: Self
    /// On a memory warning, a cache store closes files that it had kept open for reading. It loses no
    /// value.
    @Tag public static var r20j: Self
    /// A cache store never writes to a file that another program put among its files, such as a hard link
    /// to a file elsewhere.
    @Tag public static var r20k: Self

    // MARK: - R21 Cleanup by age and size

    /// A cleanup first deletes items unused for longer than an age (default 7 days), then the least
    /// recently used until the directory has its target size.
    @Tag public static var r21a: Self
    /// A cleanup covers subdirectories and, by default, hidden files, and removes directories left empty.
    /// With `keepNewest: N` it keeps the N newest files.
    @Tag public static var r21b: Self
    /// Before an app adds data, a cleanup trims the directory to a target size, but only if the addition
    /// would leave less than the reserve available.
    @Tag public static var r21c: Self
    /// The library rejects a cleanup of directories that the app may not purge: the home, documents, app
    /// data, and the caches or containers of other apps.
    @Tag public static var r21d: Self
    /// By default, a cleanup trims to 500 MiB. Before an addition, the default reserve is 200 MB and the
    /// default target 100 MB.
    @Tag public static var r21e: Self

    // MARK: - R22 Receipts

    /// A receipt is a line of JSON: requester, target, totals per class, area and directory, purged paths,
    /// and skipped paths with reasons.
    @Tag public static var r22a: Self
    /// The ledger keeps the receipt of every purge, even if the program starts with closed standard
    /// streams. `headroom log` shows it.
    @Tag public static var r22b: Self
    /// The ledger keeps receipts for a year, within a byte limit. A stored receipt lists the first 1,000
    /// purged paths.
    @Tag public static var r22c: Self
    /// While a purge runs, its caller receives every purged and every skipped path, even those that the
    /// receipt does not list.
    @Tag public static var r22d: Self
    /// A receipt lists up to 10,000 skipped paths with their reasons and counts the rest.
    @Tag public static var r22e: Self
    /// `headroom status` shows how many bytes Headroom's own state directory occupies.
    @Tag public static var r22f: Self
}
